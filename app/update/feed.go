package update

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"searchmcp/app/version"
)

// Feed is what a feed says.
type Feed struct {
	Sequence int64     `json:"sequence"` // grows with each feed that is published
	Issued   time.Time `json:"issued"`
	Expires  time.Time `json:"expires"` // from then on the feed counts as held back
	Version  string    `json:"version"` // the newest release, after Semantic Versioning, without a leading v
	Page     string    `json:"page"`    // https address where the release is described and fetched by hand
	Summary  string    `json:"summary"` // what it brings: plain text, one line
	// NextKey announces the public key, base64, that will sign feeds from some time on; "" for none (see keys.go).
	NextKey string `json:"next_key,omitempty"`
}

// The errors of a feed.
var (
	ErrFormat    = errors.New("this is no update feed")
	ErrSignature = errors.New("the feed's signature is wrong")
	ErrRollback  = errors.New("the feed is older than one seen before")
	ErrExpired   = errors.New("the feed has expired")
)

const (
	// header is the first line. It is signed too, so that no signature over anything else can be used here.
	header = "search-mcp-feed 1\n"
	// maxFeed bounds a feed in bytes; one takes half a kilobyte.
	maxFeed = 64 << 10
	// maxSummary bounds Summary in bytes: what fits a line or two of the window.
	maxSummary = 500
)

// Sign makes the file that is published: the header, a line with the base64 signature over header and JSON, the JSON.
// Errors: ErrFormat for a feed that Open would refuse.
func Sign(f Feed, key ed25519.PrivateKey) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	payload, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode feed: %w", err)
	}
	payload = append(payload, '\n')
	signature := ed25519.Sign(key, append([]byte(header), payload...))
	return append([]byte(header+base64.StdEncoding.EncodeToString(signature)+"\n"), payload...), nil
}

// Open reads a file that Sign made with one of some keys, and says which. Nothing of it is looked at before the
// signature has been verified. Errors: ErrFormat, ErrSignature.
func Open(data []byte, keys ...ed25519.PublicKey) (f Feed, by ed25519.PublicKey, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(header))
	line, payload, cut := bytes.Cut(rest, []byte("\n"))
	if !ok || !cut || len(data) > maxFeed {
		return Feed{}, nil, ErrFormat
	}
	signature, err := base64.StdEncoding.Strict().DecodeString(string(line))
	if err != nil || len(signature) != ed25519.SignatureSize {
		return Feed{}, nil, ErrSignature
	}
	signed := append([]byte(header), payload...)
	i := slices.IndexFunc(keys, func(k ed25519.PublicKey) bool {
		return len(k) == ed25519.PublicKeySize && ed25519.Verify(k, signed, signature)
	})
	if i < 0 {
		return Feed{}, nil, ErrSignature
	}
	if err := json.Unmarshal(payload, &f); err != nil {
		return Feed{}, nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	f.Issued, f.Expires = f.Issued.UTC(), f.Expires.UTC() // comparable
	return f, keys[i], f.check()
}

// check refuses what could not be shown or compared.
func (f Feed) check() error {
	page, err := url.Parse(f.Page)
	_, noKey := parseKey(f.NextKey)
	switch {
	case f.NextKey != "" && noKey != nil:
		return fmt.Errorf("%w: %w", ErrFormat, noKey)
	case f.Sequence < 1:
		return fmt.Errorf("%w: sequence %d", ErrFormat, f.Sequence)
	case !f.Expires.After(f.Issued):
		return fmt.Errorf("%w: it expires before it is issued", ErrFormat)
	case !version.Valid(f.Version):
		return fmt.Errorf("%w: version %q", ErrFormat, f.Version)
	case err != nil || page.Scheme != "https" || page.Host == "" || page.User != nil:
		return fmt.Errorf("%w: page %q is no https address", ErrFormat, f.Page)
	case len(f.Summary) > maxSummary || strings.ContainsFunc(f.Summary, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("%w: the summary is no line of at most %d bytes", ErrFormat, maxSummary)
	}
	return nil
}
