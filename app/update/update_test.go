package update

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// key makes a pair from a seed, so that tests say the same each time.
func key(seed byte) (ed25519.PublicKey, ed25519.PrivateKey) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	return private.Public().(ed25519.PublicKey), private
}

func feed(sequence int64, version string) Feed {
	now := time.Now().UTC().Truncate(time.Second)
	return Feed{Sequence: sequence, Issued: now.Add(-time.Hour), Expires: now.Add(30 * 24 * time.Hour), Version: version,
		Page: "https://example.org/search-mcp/" + version, Summary: "Faster, and a few faults less."}
}

func sign(t *testing.T, f Feed, k ed25519.PrivateKey) []byte {
	t.Helper()
	data, err := Sign(f, k)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// place is a feed server on loopback, with a checker that asks it.
type place struct {
	*Checker
	t       *testing.T
	options Options
	content atomic.Pointer[[]byte]
	asked   atomic.Int64
	changed atomic.Int64
	allowed atomic.Bool
	last    atomic.Pointer[http.Header]
}

func serve(t *testing.T, current string) *place {
	t.Helper()
	p := &place{t: t}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		p.last.Store(&r.Header)
		if r.URL.Path == "/elsewhere" {
			http.Redirect(w, r, "http://"+r.Host+"/feed", http.StatusFound)
			return
		}
		w.Write(*p.content.Load()) //nolint:errcheck // the client's business
	}))
	t.Cleanup(server.Close)
	public, _ := key(1)
	p.allowed.Store(true)
	p.options = Options{
		Dir: t.TempDir(), Current: current, Allowed: p.allowed.Load, Changed: func() { p.changed.Add(1) },
		URL: server.URL + "/feed", Keys: []ed25519.PublicKey{public}, Transport: server.Client().Transport,
	}
	p.restart()
	return p
}

func (p *place) restart() {
	p.t.Helper()
	var err error
	if p.Checker, err = New(p.options); err != nil {
		p.t.Fatal(err)
	}
}

// publish puts a feed signed by the right key on the server and asks.
func (p *place) publish(f Feed) State {
	p.t.Helper()
	_, private := key(1)
	return p.put(sign(p.t, f, private))
}

func (p *place) put(data []byte) State {
	p.content.Store(&data)
	return p.Check(p.t.Context())
}

func TestTellsOfANewerVersion(t *testing.T) {
	p := serve(t, "1.0.0")
	want := feed(1, "1.1.0")
	got := p.publish(want)
	if !got.Possible || got.Newer != want || got.Problem != "" || time.Since(got.Checked) > time.Minute {
		t.Errorf("state %+v", got)
	}
	if p.changed.Load() != 1 {
		t.Errorf("told %d times", p.changed.Load())
	}
	p.publish(want)
	if p.changed.Load() != 1 {
		t.Error("told again of what is known")
	}
	// It is still known after a restart, and not any more once that version runs.
	p.restart()
	if got := p.Known(); got.Newer != want {
		t.Errorf("after a restart %+v", got)
	}
	p.options.Current = "1.1.0"
	p.restart()
	if got := p.Known(); got.Newer != (Feed{}) {
		t.Errorf("version 1.1.0 was told of itself: %+v", got)
	}
	for name, values := range *p.last.Load() {
		if name != "User-Agent" && name != "Accept-Encoding" || values[0] != "search-mcp" && values[0] != "gzip" {
			t.Errorf("the question carries %s: %q", name, values)
		}
	}
	info, err := os.Stat(filepath.Join(p.options.Dir, seenName))
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode of %s: %v, %v", seenName, info.Mode(), err)
	}
}

func TestAsksNothingUnlessAllowed(t *testing.T) {
	p := serve(t, "1.0.0")
	p.allowed.Store(false)
	if got := p.publish(feed(1, "1.1.0")); got.Newer != (Feed{}) || p.asked.Load() != 0 {
		t.Errorf("asked %d times, state %+v", p.asked.Load(), got)
	}
}

func TestNeverTellsOfAnOlderVersion(t *testing.T) {
	p := serve(t, "2.0.0")
	for i, v := range []string{"1.9.9", "2.0.0-rc.1", "2.0.0"} {
		if got := p.publish(feed(int64(i+1), v)); got.Newer != (Feed{}) || got.Problem != "" {
			t.Errorf("%s: %+v", v, got)
		}
	}
}

// TestRefuses goes through the attacks. Each begins with a good feed that is known, and leaves it known.
func TestRefuses(t *testing.T) {
	_, right := key(1)
	_, wrong := key(2)
	good := feed(7, "1.2.0")
	expired := feed(8, "1.3.0")
	expired.Issued, expired.Expires = expired.Issued.Add(-90*24*time.Hour), time.Now().Add(-time.Second)
	renamed := good
	renamed.Page = "https://elsewhere.example/"
	swapped := bytes.Replace(sign(t, feed(8, "1.3.0"), right), []byte("example.org"), []byte("example.com"), 1)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"foreign key":              {sign(t, feed(8, "9.0.0"), wrong), "not signed"},
		"content changed":          {swapped, "not signed"},
		"no signature":             {[]byte(header + "\n{}"), "not signed"},
		"a page of something else": {[]byte("<html>Please log in</html>"), "not signed"},
		"nothing":                  {nil, "not signed"},
		"endless": {append(sign(t, feed(8, "9.0.0"), right), bytes.Repeat([]byte(" "), 10*maxFeed)...),
			"not signed"},
		"older feed":               {sign(t, feed(6, "1.3.0"), right), "older"},
		"older version":            {sign(t, feed(8, "1.1.0"), right), "older"},
		"another feed of a number": {sign(t, renamed, right), "older"},
		"held back":                {sign(t, expired, right), "out of date"},
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, "1.0.0")
			if got := p.publish(good); got.Newer != good {
				t.Fatalf("good feed: %+v", got)
			}
			got := p.put(c.data)
			if got.Newer != good || !strings.Contains(got.Problem, c.says) {
				t.Errorf("state %+v, want a problem with %q", got, c.says)
			}
			if p.changed.Load() != 2 {
				t.Errorf("told %d times", p.changed.Load())
			}
			// Forgetting nothing over a restart is what makes it a protection.
			p.restart()
			if got := p.put(c.data); got.Newer != good || got.Problem == "" {
				t.Errorf("after a restart %+v", got)
			}
			if got := p.publish(feed(9, "1.4.0")); got.Newer.Version != "1.4.0" || got.Problem != "" {
				t.Errorf("then a good one: %+v", got)
			}
		})
	}
}

func TestLeavesTLSNever(t *testing.T) {
	p := serve(t, "1.0.0")
	p.options.URL = strings.Replace(p.options.URL, "/feed", "/elsewhere", 1)
	p.restart()
	if got := p.publish(feed(1, "1.1.0")); got.Newer != (Feed{}) || !strings.Contains(got.Problem, "not answered") {
		t.Errorf("followed a redirection to http: %+v", got)
	}
	p.options.URL = "http://127.0.0.1/feed"
	if _, err := New(p.options); err == nil {
		t.Error("an address without TLS was taken")
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	p := serve(t, "1.0.0")
	p.options.Transport = answers(func(*http.Request) (*http.Response, error) {
		return nil,
			errors.New("no route to host")
	})
	p.restart()
	if got := p.Check(t.Context()); !strings.Contains(got.Problem, "not answered") || !got.Checked.IsZero() {
		t.Errorf("state %+v", got)
	}
}

func TestDamagedMemory(t *testing.T) {
	p := serve(t, "1.0.0")
	for _, damage := range []string{"", "{", `{"feed":{"version":"9.9.9","page":"javascript:alert(1)"}}`} {
		if err := os.WriteFile(filepath.Join(p.options.Dir, seenName), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		p.restart()
		if got := p.Known(); got.Newer != (Feed{}) {
			t.Errorf("%q was believed: %+v", damage, got)
		}
	}
	if got := p.publish(feed(1, "1.1.0")); got.Newer.Version != "1.1.0" {
		t.Errorf("state %+v", got)
	}
}

func TestBuildWithoutAFeed(t *testing.T) {
	c, err := New(Options{Dir: t.TempDir(), Current: "1.0.0", Allowed: func() bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	c.Run(t.Context()) // returns at once: there is nobody to ask
	if got := c.Check(t.Context()); got.Possible || got.Problem != "" {
		t.Errorf("state %+v", got)
	}
}

// answers is a transport without a network, for tests with a clock of their own.
type answers func(*http.Request) (*http.Response, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// TestAsksOnceADay follows Run over days: off, switched on, with an outage, switched off.
func TestAsksOnceADay(t *testing.T) {
	public, private := key(1)
	synctest.Test(t, func(t *testing.T) {
		var allowed, down atomic.Bool
		var asked atomic.Int64
		options := Options{
			Dir: t.TempDir(), Current: "1.0.0", Allowed: allowed.Load, URL: "https://feed.example/",
			Keys: []ed25519.PublicKey{public},
			Transport: answers(func(*http.Request) (*http.Response, error) {
				asked.Add(1)
				if down.Load() {
					return nil, errors.New("down")
				}
				data, err := Sign(feed(1, "1.1.0"), private)
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(data))}, err
			}),
		}
		c, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); c.Run(ctx) }()
		after := func(d time.Duration, want int64, when string) {
			t.Helper()
			select {
			case <-time.After(d):
			case <-ctx.Done():
			}
			synctest.Wait()
			if got := asked.Swap(0); got != want {
				t.Errorf("%s: asked %d times, want %d", when, got, want)
			}
		}
		after(10*24*time.Hour, 0, "ten days off")
		allowed.Store(true)
		c.Poke()
		after(time.Second, 1, "switched on")
		c.Poke()
		after(time.Second, 0, "poked again")
		down.Store(true)
		after(24*time.Hour, 1, "the next day, down")
		after(8*time.Hour, 2, "tried again every four hours")
		down.Store(false)
		after(4*time.Hour+time.Second, 1, "up again")
		allowed.Store(false)
		c.Poke()
		after(3*24*time.Hour, 0, "switched off")
		cancel()
		<-ended
	})
}

func FuzzOpen(f *testing.F) {
	public, private := key(1)
	good, err := Sign(Feed{Sequence: 1, Issued: time.Unix(1e9, 0), Expires: time.Unix(2e9, 0), Version: "1.2.3",
		Page: "https://example.org/"}, private)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(header))
	f.Add(bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, _, err := Open(data, public); err == nil && !bytes.Equal(data, good) {
			t.Errorf("%q was taken for signed", data)
		}
	})
}

func TestSignRefuses(t *testing.T) {
	_, private := key(1)
	for name, change := range map[string]func(*Feed){
		"sequence": func(f *Feed) { f.Sequence = 0 },
		"expiry":   func(f *Feed) { f.Expires = f.Issued },
		"version":  func(f *Feed) { f.Version = "v1.0.0" },
		"http":     func(f *Feed) { f.Page = "http://example.org/" },
		"script":   func(f *Feed) { f.Page = "javascript:alert(1)" },
		"lines":    func(f *Feed) { f.Summary = "a\nb" },
		"length":   func(f *Feed) { f.Summary = strings.Repeat("a", maxSummary+1) },
	} {
		bad := feed(1, "1.0.0")
		change(&bad)
		if _, err := Sign(bad, private); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
