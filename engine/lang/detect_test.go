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
		{".go", "", "go"}, {"init.el", "", "emacslisp"}, {".emacs", "", "emacslisp"},
		{"x.", "", ""},
		{"", "", ""},
	} {
		if got := OfFile(tc.path, []byte(tc.head)); got != tc.want {
			t.Errorf("OfFile(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.want)
		}
	}
}

// Every language is detected from a file name, a shebang line or content, and each extension has one language.
func TestLanguagesAreReachable(t *testing.T) {
	content := []string{"fallback", "xml", "puppet", "coq", "apex"}
	owner := map[string]string{}
	for name, l := range known().languages {
		for _, ext := range l.Extensions {
			if owner[ext] != "" {
				t.Errorf("both %s and %s have the extension %q", owner[ext], name, ext)
			}
			owner[ext] = name
		}
		if len(l.Extensions)+len(l.Files)+len(l.Programs) == 0 && !slices.Contains(content, name) {
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
	for name := range known().alias {
		if l, _ := Find(name); l == name {
			t.Errorf("the alias %q is also a language", name)
		}
	}
	if got, ok := Find("klingon"); got != "klingon" || ok {
		t.Errorf("got %q, %v", got, ok)
	}
}

// Every line of the tables is valid: expressions compile, for letters of all alphabets, and fields have known values.
// Unknown keys and functions panic.
func TestTables(t *testing.T) {
	for name, family := range map[string]string{"tsx": "javascript", "vue": "javascript", "less": "scss", "cpp": "c",
		"scheme": "scheme", "erb": "ruby", "kotlin": "java"} {
		if got := Family(name); got != family {
			t.Errorf("%s belongs to %s, want %s", name, got, family)
		}
	}
	for name, l := range known().languages {
		patterns := []*Pattern{l.Embedded, l.Header, l.Attribute, l.Behind, l.Body, l.Nested}
		for _, d := range l.Defs {
			patterns = append(patterns, d.Line)
		}
		for _, m := range l.Members {
			patterns = append(patterns, m.In, m.Where, m.Line)
		}
		for _, p := range patterns {
			p.MatchString(name)
		}
		for key, of := range map[string][]string{"category": {"", "data", "prose"},
			"headings":   {"", "markdown", "asciidoc", "restructured", "plain"},
			"visibility": {"", "package", "named", "included"}, "type": {"", "colon", "next", "before"},
			"imports": {"", "script", "from", "path"}} {
			if got := l.field(key).String(); !slices.Contains(of, got) {
				t.Errorf("%s has the %s %q", name, key, got)
			}
		}
	}
}
