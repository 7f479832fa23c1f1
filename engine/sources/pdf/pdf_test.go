package pdf

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func standIn(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake pdftotext is a shell script")
	}
	path := filepath.Join(t.TempDir(), "pdftotext")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	was := program
	program = func() (string, error) { return path, nil }
	t.Cleanup(func() { program = was })
}

func TestRead(t *testing.T) {
	const page = `<html><head><title>A &lt;b&gt; title</title><meta name="CreationDate" content="2021-03-04T05:06:07Z"/>
</head><body><pre>`
	for name, c := range map[string]struct {
		script string
		want   Document
		err    error
	}{
		"a page":     {"cat", Document{"A <b> title", "2021-03-04", "one & two\n"}, nil},
		"pictures":   {"sed 's/one.*//'", Document{}, ErrNoText},
		"damaged":    {"exit 1", Document{}, ErrUnreadable},
		"no page":    {"echo hello", Document{}, ErrUnreadable},
		"memory":     {"echo out of memory >&2; exit 99", Document{}, ErrTooLong},
		"endless":    {"exec yes", Document{}, ErrTooLong},
		"variables":  {`[ -z "$SECRET" ] && cat`, Document{"A <b> title", "2021-03-04", "one & two\n"}, nil},
		"unreadable": {"exec /no/such/program", Document{}, ErrUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SECRET", "x")
			t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "removed"))
			standIn(t, c.script)
			d, err := Read(t.Context(), []byte(page+"\none &amp; two\n</pre></body>"))
			if !errors.Is(err, c.err) || c.err == nil && (err != nil || d != c.want) {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
	standIn(t, "cat")
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("import cancelled")
	cancel(gone)
	if _, err := Read(ctx, []byte(page)); !errors.Is(err, gone) {
		t.Errorf("given up: %v", err)
	}
}

func TestNotInstalled(t *testing.T) {
	was := program
	program = func() (string, error) { return "", ErrNotInstalled }
	t.Cleanup(func() { program = was })
	if _, err := Read(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "poppler-utils") {
		t.Errorf("%v", err)
	}
}
