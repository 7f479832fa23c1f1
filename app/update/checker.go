package update

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"searchmcp/app/version"
)

// The feed of this build: an https address, and the base64 of the Ed25519 public keys that may sign it (ParseKeys). A
// release sets them by the linker (packaging/package.mk, -X); without them there is nothing to ask.
var (
	feedURL string
	feedKey string
)

const (
	// checkInterval is how often the feed is asked; a release is no emergency.
	checkInterval = 24 * time.Hour
	// retryInterval is the pause after an answer that was none.
	retryInterval = 4 * time.Hour
	// startupDelay keeps the first question out of the start's way.
	startupDelay = time.Minute
	// requestTimeout bounds one question.
	requestTimeout = 30 * time.Second
)

// Options are what a Checker needs. The zero values of URL and Keys mean the build's.
type Options struct {
	Dir     string // the data folder, for update.json
	Current string // the version that runs
	Allowed func() bool
	Changed func() // called when what is known has changed; may be nil
	Log     *slog.Logger

	URL       string
	Keys      []ed25519.PublicKey
	Transport http.RoundTripper // nil: Go's
}

// State is what is known.
type State struct {
	Possible bool   // there is a feed to ask
	Newer    Feed   // the zero value unless its version is newer than the one that runs
	Problem  string // why the last question told nothing, a sentence for a person
	Checked  time.Time
}

// Checker asks the feed.
type Checker struct {
	o      Options
	client *http.Client
	poke   chan struct{}
	asking chan struct{} // one slot: one question at a time

	mu      sync.Mutex
	seen    seenFeed
	problem string
}

// New makes a Checker and reads what was known before.
func New(o Options) (*Checker, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.URL == "" && feedURL != "" {
		keys, err := ParseKeys(feedKey)
		if err != nil {
			return nil, fmt.Errorf("this build's update feed: %w", err)
		}
		o.URL, o.Keys = feedURL, keys
	}
	if o.URL != "" && !strings.HasPrefix(o.URL, "https://") {
		return nil, fmt.Errorf("the update feed's address %q is not https", o.URL)
	}
	c := &Checker{o: o, poke: make(chan struct{}, 1), asking: make(chan struct{}, 1)}
	c.client = &http.Client{Transport: o.Transport, Timeout: requestTimeout, CheckRedirect: onlyHTTPS}
	var err error
	if c.seen, err = readSeen(o.Dir); err != nil {
		o.Log.Warn("what was known of updates is forgotten", "err", err)
	}
	return c, nil
}

// onlyHTTPS follows a few redirects, as downloads from release pages need, and none out of TLS.
func onlyHTTPS(r *http.Request, via []*http.Request) error {
	if r.URL.Scheme != "https" || len(via) > 4 {
		return errors.New("redirected somewhere else than https, or too often")
	}
	return nil
}

// Known tells what is known, without asking.
func (c *Checker) Known() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{Possible: c.o.URL != "", Problem: c.problem, Checked: c.seen.Checked}
	if version.Compare(c.seen.Feed.Version, c.o.Current) > 0 {
		s.Newer = c.seen.Feed
	}
	return s
}

// Allowed reports whether the feed may be asked.
func (c *Checker) Allowed() bool { return c.o.Allowed() }

// Poke has Run look at once whether it may ask now: the setting has changed.
func (c *Checker) Poke() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

// Run asks once a day while it is allowed, until ctx ends. While it is not allowed it sleeps.
func (c *Checker) Run(ctx context.Context) {
	if c.o.URL == "" {
		return
	}
	timer := time.NewTimer(startupDelay)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.poke:
		case <-timer.C:
		}
		if !c.o.Allowed() {
			timer.Stop() // until somebody allows it, which pokes
			continue
		}
		if wait := c.due(time.Now()); wait > 0 {
			timer.Reset(wait)
			continue
		}
		if s := c.Check(ctx); s.Problem != "" {
			timer.Reset(retryInterval)
		} else {
			timer.Reset(checkInterval)
		}
	}
}

// due is how long the feed need not be asked yet. A clock that was set back makes it due.
func (c *Checker) due(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem != "" || c.seen.Checked.After(now) {
		return 0
	}
	return c.seen.Checked.Add(checkInterval).Sub(now)
}

// Check asks the feed, if that is allowed, and tells what is known then. A second caller waits for the first one's
// answer.
func (c *Checker) Check(ctx context.Context) State {
	if c.o.URL == "" || !c.o.Allowed() {
		return c.Known()
	}
	select {
	case c.asking <- struct{}{}:
		defer func() { <-c.asking }()
	case <-ctx.Done():
		return c.Known()
	}
	before := c.Known()
	data, err := c.fetch(ctx)
	if ctx.Err() != nil {
		return before // nobody waits any more: that says nothing about the feed
	}
	if err == nil {
		err = c.take(data, time.Now())
	}
	c.mu.Lock()
	c.problem = words(err)
	c.mu.Unlock()
	if err != nil {
		c.o.Log.Warn("update feed told nothing", "err", err)
	}
	after := c.Known()
	if (before.Newer.Version != after.Newer.Version || before.Problem != after.Problem) && c.o.Changed != nil {
		c.o.Changed()
	}
	return after
}

// fetch reads the feed. The request says no more than that somebody uses Search MCP: no version, no identity, no
// cookie.
func (c *Checker) fetch(ctx context.Context) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.o.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("ask update feed: %w", err)
	}
	r.Header.Set("User-Agent", "search-mcp")
	answer, err := c.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask update feed: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask update feed: %s", answer.Status)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxFeed+1))
	if err != nil {
		return nil, fmt.Errorf("read update feed: %w", err)
	}
	return data, nil
}

// take verifies a feed and remembers it. Errors: ErrFormat, ErrSignature, ErrRollback, ErrExpired, or the file's.
func (c *Checker) take(data []byte, now time.Time) error {
	c.mu.Lock()
	last, trusted := c.seen.Feed, c.seen.Trust.of(c.o.Keys)
	c.mu.Unlock()
	feed, by, err := Open(data, trusted.accepted(c.o.Keys)...)
	if err != nil {
		return err
	}
	switch {
	case feed.Sequence < last.Sequence, feed.Sequence == last.Sequence && feed != last && last.Sequence > 0:
		return fmt.Errorf("%w: number %d after %d", ErrRollback, feed.Sequence, last.Sequence)
	case last.Sequence > 0 && version.Compare(feed.Version, last.Version) < 0:
		return fmt.Errorf("%w: version %s after %s", ErrRollback, feed.Version, last.Version)
	case !now.Before(feed.Expires):
		return fmt.Errorf("%w on %s", ErrExpired, feed.Expires.Format(time.DateOnly))
	}
	m := seenFeed{Feed: feed, Trust: trusted.after(feed, by, c.o.Keys), Checked: now.UTC().Truncate(time.Second)}
	if err := m.write(c.o.Dir); err != nil {
		return err
	}
	c.mu.Lock()
	c.seen = m
	c.mu.Unlock()
	return nil
}

// words are what a person is told.
func words(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrSignature), errors.Is(err, ErrFormat):
		return "The answer about new versions was not signed by the makers of Search MCP and was ignored."
	case errors.Is(err, ErrRollback):
		return "The answer about new versions was older than one seen before and was ignored."
	case errors.Is(err, ErrExpired):
		return "The answer about new versions is out of date, so there may be a newer version than is known here."
	}
	return "The question about new versions was not answered. It is asked again later."
}
