package update

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
)

// Feeds are signed by one key at a time. It is changed in one of two ways:
//
//   - A feed signed by the key in force announces the next one (Feed.NextKey). Whoever has seen it takes feeds signed
//     by either, and from the first feed that the next key has signed, only by that one.
//   - A build has several keys (FEED_KEY, separated by commas). Whoever has that build takes feeds signed by any of
//     them.
//
// The first needs the old key, and reaches everybody who asks while it is announced; the second needs none, for a key
// that was lost or stolen, and reaches those who install a new version by hand. What was learnt from feeds counts for
// the keys of the build that learnt it: a build with others starts with its own.

// ParseKeys reads public keys: base64, separated by commas.
func ParseKeys(s string) ([]ed25519.PublicKey, error) {
	var keys []ed25519.PublicKey
	for _, text := range strings.Split(s, ",") {
		key, err := parseKey(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseKey(s string) (ed25519.PublicKey, error) {
	key, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("a public key of the update feed is malformed")
	}
	return key, nil
}

// origin names the keys of a build, whatever their order.
func origin(keys []ed25519.PublicKey) string {
	var texts []string
	for _, k := range keys {
		texts = append(texts, string(k))
	}
	slices.Sort(texts)
	sum := sha256.Sum256([]byte(strings.Join(texts, "")))
	return hex.EncodeToString(sum[:])
}

// trust is what was learnt of keys from feeds. The zero value is a build's own state.
type trust struct {
	Origin string `json:"origin,omitempty"` // the build's keys that this began with, as origin names them
	Key    string `json:"key,omitempty"`    // the one in force, base64; "": any of the build's
	Next   string `json:"next,omitempty"`   // announced by it, base64; "": none
}

// of is t for a build with these keys: nothing is learnt from another one's.
func (t trust) of(build []ed25519.PublicKey) trust {
	if t.Origin != origin(build) {
		return trust{}
	}
	return t
}

// accepted are the keys whose feeds are taken.
func (t trust) accepted(build []ed25519.PublicKey) []ed25519.PublicKey {
	keys := build
	if key, err := parseKey(t.Key); err == nil {
		keys = []ed25519.PublicKey{key}
	}
	if next, err := parseKey(t.Next); err == nil {
		keys = append(slices.Clone(keys), next)
	}
	return keys
}

// after is what is trusted once a feed was taken that a key has signed. A feed without an announcement takes an earlier
// one back.
func (t trust) after(f Feed, by ed25519.PublicKey, build []ed25519.PublicKey) trust {
	now := trust{Origin: origin(build), Key: t.Key, Next: f.NextKey}
	if text := base64.StdEncoding.EncodeToString(by); text == t.Next {
		now.Key = text
	}
	if now.Next == now.Key {
		now.Next = ""
	}
	if now.Key == "" && now.Next == "" {
		return trust{}
	}
	return now
}
