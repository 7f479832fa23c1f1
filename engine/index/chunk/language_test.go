package chunk

import "testing"

func TestLanguage(t *testing.T) {
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
		if got := Language(tc.path, []byte(tc.head)); got != tc.want {
			t.Errorf("Language(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.want)
		}
	}
}

// Every grammar and layout is reached by some file name or shebang.
func TestLanguagesAreReachable(t *testing.T) {
	reached := map[string]bool{}
	for _, l := range Languages() {
		reached[l] = true
	}
	for l := range grammars {
		if !reached[l] {
			t.Errorf("no file is %s", l)
		}
	}
	for l := range layouts {
		if !reached[l] {
			t.Errorf("no file is %s", l)
		}
	}
}

// Each type of node that a grammar's rules name exists in the grammar; a misspelt one would be ignored.
func TestRulesNameTypes(t *testing.T) {
	for lang := range grammars {
		for _, name := range grammarOf(t, lang).unknown {
			t.Errorf("%s has no node %q", lang, name)
		}
	}
}
