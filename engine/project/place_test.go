package project

import (
	"runtime"
	"testing"

	"searchmcp/engine/api"
)

// Assistants pass absolute paths, and the project's own path for the whole project.
func TestRelative(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of this test are of other systems")
	}
	roots := []api.Root{{Path: "/home/ada/shop"}, {Name: "lib", Path: "/srv/lib"}}
	for typed, want := range map[string]string{
		"src/a.go":                "src/a.go",
		"/home/ada/shop/src/a.go": "src/a.go",
		"/home/ada/shop/**/*.go":  "**/*.go",
		"/home/ada/shop/src/":     "src/",
		"/home/ada/shop":          "",
		"/home/ada/shop/":         "",
		"/srv/lib":                "@lib/",
		"/srv/lib/b.go":           "@lib/b.go",
		"/home/ada/shopping/a.go": "/home/ada/shopping/a.go",
		"/home/ada/shop/../x.go":  "../x.go",
		"/etc/passwd":             "/etc/passwd",
		"":                        "",
	} {
		if got := relative(roots, typed); got != want {
			t.Errorf("%q gives %q, want %q", typed, got, want)
		}
	}
}
