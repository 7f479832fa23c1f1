package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/app/update"
)

// TestFeed goes the way of a release: a key, a feed, a look at it; and the ways that must fail.
func TestFeed(t *testing.T) {
	dir := t.TempDir()
	private, feed := filepath.Join(dir, "private.key"), filepath.Join(dir, "feed")
	var public, shown bytes.Buffer
	if err := run([]string{"key", "-o", private}, &public); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(private); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("private key: mode %v, %v", info.Mode(), err)
	}
	if err := run([]string{"key", "-o", private}, io.Discard); err == nil {
		t.Error("a key was overwritten")
	}
	args := []string{"sign", "-key", private, "-sequence", "3", "-version", "1.4.0", "-page",
		"https://example.org/1.4.0", "-summary", "Quicker.", "-o", feed}
	if err := run(args, io.Discard); err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(public.String())
	if err := run([]string{"show", "-key", key, feed}, &shown); err != nil ||
		!strings.Contains(shown.String(), `"version": "1.4.0"`) {
		t.Errorf("show: %v\n%s", err, shown.String())
	}
	data, err := os.ReadFile(feed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(feed, bytes.Replace(data, []byte("1.4.0"), []byte("9.4.0"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"show", "-key", key, feed}, io.Discard); !errors.Is(err, update.ErrSignature) {
		t.Errorf("a changed feed: %v", err)
	}
	for _, bad := range [][]string{nil, {"publish"}, {"sign", "-key", feed}, append(args[:5:5], "-version", "four")} {
		if err := run(bad, io.Discard); err == nil {
			t.Errorf("%q was done", bad)
		}
	}
}
