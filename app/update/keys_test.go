package update

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
)

// public is the public half of a test's key, as a feed announces it.
func public(seed byte) string {
	k, _ := key(seed)
	return base64.StdEncoding.EncodeToString(k)
}

// from puts a feed on the server that a key has signed and that announces another, 0 for none, and asks.
func (p *place) from(seed byte, sequence int64, next byte) State {
	p.t.Helper()
	f := feed(sequence, "1.1.0")
	if next > 0 {
		f.NextKey = public(next)
	}
	_, private := key(seed)
	return p.put(sign(p.t, f, private))
}

// A feed announces the next key, which takes over with the first feed that it signs; a restart in between changes
// nothing.
func TestKeyAnnounced(t *testing.T) {
	p := serve(t, "1.0.0")
	for _, step := range []struct {
		what          string
		seed          byte
		sequence      int64
		next          byte
		build         []byte // a new build's keys
		taken, reopen bool
	}{
		{what: "a key that nobody announced", seed: 2, sequence: 1, taken: false},
		{what: "the build's key, which announces 2", seed: 1, sequence: 1, next: 2, taken: true, reopen: true},
		{what: "another key", seed: 3, sequence: 2, taken: false},
		{what: "the build's key again", seed: 1, sequence: 2, next: 2, taken: true},
		{what: "the announced key", seed: 2, sequence: 3, taken: true, reopen: true},
		{what: "the old key, stolen: it announces its own", seed: 1, sequence: 4, next: 3, taken: false},
		{what: "what that one announced", seed: 3, sequence: 5, taken: false},
		{what: "the announced key, which announces 4", seed: 2, sequence: 4, next: 4, taken: true},
		{what: "the same without: taken back", seed: 2, sequence: 5, taken: true},
		{what: "what was taken back", seed: 4, sequence: 6, taken: false},
		{what: "a build with other keys, by its second", build: []byte{5, 6}, seed: 6, sequence: 6, taken: true},
		{what: "the key that the build before had learnt", seed: 2, sequence: 7, taken: false},
		{what: "the build's first", seed: 5, sequence: 7, taken: true},
	} {
		if step.build != nil {
			p.options.Keys = nil
			for _, seed := range step.build {
				k, _ := key(seed)
				p.options.Keys = append(p.options.Keys, k)
			}
			p.restart()
		}
		s := p.from(step.seed, step.sequence, step.next)
		if taken := s.Problem == ""; taken != step.taken {
			t.Errorf("%s: taken %v, %q", step.what, taken, s.Problem)
		}
		if step.reopen {
			p.restart()
		}
	}
}

func TestParseKeys(t *testing.T) {
	one, _ := key(1)
	two, _ := key(2)
	keys, err := ParseKeys(public(1) + ", " + public(2))
	if err != nil || len(keys) != 2 || !keys[0].Equal(one) || !keys[1].Equal(two) {
		t.Errorf("%v, %v", keys, err)
	}
	if origin([]ed25519.PublicKey{one, two}) != origin([]ed25519.PublicKey{two, one}) ||
		origin([]ed25519.PublicKey{one}) == origin([]ed25519.PublicKey{two}) {
		t.Error("the name of keys depends on their order, or not on them")
	}
	for _, bad := range []string{"", ",", public(1) + ",", "no base64!", public(1)[:20], strings.Repeat(public(1), 2)} {
		if keys, err := ParseKeys(bad); err == nil {
			t.Errorf("%q: %v", bad, keys)
		}
	}
	_, private := key(1)
	f := feed(1, "1.0.0")
	f.NextKey = "short"
	if _, err := Sign(f, private); err == nil {
		t.Error("a feed announces what is no key")
	}
}
