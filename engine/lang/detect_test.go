package lang

import (
	"slices"
	"testing"
)

func TestOfFile(t *testing.T) {
	for _, tc := range []struct{ path, head, want string }{
		{"a/b.go", "", "go"}, {"trail.go ", "", "go"},
		{"A.PY", "", "python"},
		{"x.tsx", "", "tsx"},
		{"x.d.ts", "", "typescript"},
		{"x.jsx", "", "javascript"},
		{"x.ts", "<?xml version=\"1.0\"?>\n<TS>", "xml"},
		{"x.h", "#pragma once\nint f(void);", "c"},
		{"x.h", "#pragma once\nnamespace a {", "cpp"},
		{"x.h", "\n@interface A : B", "objective-c"},
		{"x.h", "/** @class A */\nclass A;", "cpp"},
		{"x.h", "#pragma once\n#import <jsi/jsi.h>\nnamespace a {", "cpp"},
		{"x.h", "#pragma once\n#import <UIKit/UIKit.h>\nextern NSString *a;", "objective-c"},
		{"x.m", "#import <A/A.h>", "objective-c"},
		{"x.m", "function y = f(x)", "matlab"},
		{"Makefile", "", "makefile"},
		{"docker/Dockerfile.dev", "", "dockerfile"},
		{"Gemfile", "", "ruby"},
		{"CMakeLists.txt", "", "cmake"},
		{"go.mod", "", "gomod"},
		{"README", "", "text"},
		{"README.md", "", "markdown"},
		{".bashrc", "", "bash"},
		{"bin/tool", "#!/usr/bin/env bash\n", "bash"},
		{"bin/tool", "#!/usr/bin/env -S python3.12 -u\n", "python"},
		{"bin/tool", "#! /usr/bin/perl -w\n", "perl"},
		{"bin/tool", "#!/usr/bin/env node\n", "javascript"},
		{"bin/tool", "#!/opt/odd\n", ""},
		{"completion", "#  -*- shell-script -*-\n#\n", "bash"},
		{"lib/x.inc", "// -*- mode: C++; tab-width: 2 -*-\n", "cpp"},
		{"rc.local", "\n# vim: set ft=sh ts=4:\n", "bash"},
		{"functions/_tool", "#compdef tool\n", "bash"},
		{"notes", "one\ntwo\nthree\nfour\nfive\nvim: ft=sh\n", ""},
		{"bin/tool", "hello", ""},
		{"noext", "<?php\n", "php"},
		{".go", "", "go"},
		{"x.", "", ""},
		{"", "", ""},
	} {
		if got := OfFile(tc.path, []byte(tc.head)); got != tc.want {
			t.Errorf("OfFile(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.want)
		}
	}
}

// Every language is reached by some file name, shebang line or content.
func TestLanguagesAreReachable(t *testing.T) {
	for name := range languages {
		if !slices.Contains(Names(), name) {
			t.Errorf("no file is %s", name)
		}
	}
}

func TestFind(t *testing.T) {
	for typed, want := range map[string]string{
		"go": "go", "Golang": "go", "JS": "javascript", ".py": "python", "c++": "cpp", "C#": "csharp", "shell": "bash",
		"terraform": "hcl", "node": "javascript", " rs ": "rust", "tsx": "tsx", "h": "c",
	} {
		if got, ok := Find(typed); got != want || !ok {
			t.Errorf("%q is %q, %v; want %q", typed, got, ok, want)
		}
	}
	for name := range also {
		if l, _ := Find(name); l == name {
			t.Errorf("%q is a language by itself", name)
		}
	}
	if got, ok := Find("klingon"); got != "klingon" || ok {
		t.Errorf("got %q, %v", got, ok)
	}
}

// Every expression compiles, with letters of all alphabets in the place of ASCII's.
func TestLayouts(t *testing.T) {
	for name, l := range languages {
		if l.Layout == nil {
			continue
		}
		for _, p := range []*Pattern{l.Layout.Header, l.Layout.Attribute, l.Layout.Behind, l.Layout.Body, l.Layout.Holds} {
			p.MatchString(name)
		}
		for _, d := range l.Layout.Defs {
			d.Line.MatchString(name)
		}
	}
}
