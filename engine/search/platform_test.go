package search

import (
	"testing"

	"searchmcp/engine/api"
)

func TestOtherPlatform(t *testing.T) {
	for _, c := range []struct {
		query, path string
		want        bool
	}{
		{"[Android] Fixed converting from null", "ios/Core/Record.swift", true},
		{"[Android] Fixed converting from null", "android/src/Record.kt", false},
		{"[Android] Fixed converting from null", "src/record.ts", false},
		{"fix converting from null", "ios/Core/Record.swift", false},
		{"works around a Linux kernel bug", "src/sys/unix/epoll.rs", false},
		{"works around a Linux kernel bug", "src/sys/windows/iocp.rs", true},
		{"file locks on Windows", "lock_unix.go", true},
		{"file locks on Windows", "lock_windows.go", false},
		{"file locks on Windows", "internal/windows.go", false},
		{"windows and unix sockets", "net/unix.go", false},
		{"on iOS and macOS", "platform/darwin.m", false},
	} {
		q := parseQuery(api.Query{Text: c.query})
		if got := q.platforms != 0 && otherPlatform(c.path, q.platforms); got != c.want {
			t.Errorf("%q, %s: %v", c.query, c.path, got)
		}
	}
}
