package search

import (
	"testing"

	"searchmcp/engine/api"
)

func TestPlatformFactor(t *testing.T) {
	for _, c := range []struct {
		query, path string
		known       bool // other candidates are for the query's platform
		want        float64
	}{
		{"[Android] Fixed converting from null", "ios/Core/Record.swift", false, 0.6},
		{"[Android] Fixed converting from null", "android/src/Record.kt", true, 1},
		{"[Android] Fixed converting from null", "src/record.ts", true, 0.85},
		{"[Android] Fixed converting from null", "src/record.ts", false, 1},
		{"fix converting from null", "ios/Core/Record.swift", true, 1},
		{"works around a Linux kernel bug", "src/sys/unix/epoll.rs", true, 1},
		{"works around a Linux kernel bug", "src/sys/windows/iocp.rs", false, 0.6},
		{"file locks on Windows", "lock_unix.go", false, 0.6},
		{"file locks on Windows", "lock_windows.go", true, 1},
		{"file locks on Windows", "internal/windows.go", true, 1},
		{"windows and unix sockets", "net/unix.go", true, 1},
		{"zoom with two fingers on an iPhone", "ios/Zoom.swift", true, 1},
		{"zoom with two fingers on an iPhone", "android/src/Zoom.kt", true, 0.6},
		{"on iOS and macOS", "platform/darwin.m", true, 1},
	} {
		q := parseQuery(api.Query{Text: c.query})
		if got, _ := q.platformFactor(platformsOf(c.path), c.known); got != c.want {
			t.Errorf("%q, %s: %v, want %v", c.query, c.path, got, c.want)
		}
	}
}
