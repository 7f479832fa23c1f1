package symbol_test

import (
	"testing"

	"searchmcp/engine/search/symbol"
)

func candidate(path, language, kind, owner string) symbol.Candidate {
	c := symbol.Candidate{Path: path, Language: language, Definition: symbol.Definition{Name: "rotate", Kind: "function"}}
	if owner != "" {
		c.Scope, c.Member = []string{owner}, true
		c.Kind = "method"
	}
	if kind != "" {
		c.Kind = "field"
	}
	return c
}

// Which of several definitions a use means, in the ways that languages have of saying so.
func TestResolve(t *testing.T) {
	method := func(path, language, owner string) symbol.Candidate { return candidate(path, language, "", owner) }
	field := func(path, language, owner string) symbol.Candidate { return candidate(path, language, "field", owner) }
	function := func(path, language string) symbol.Candidate { return candidate(path, language, "", "") }
	builtin := func(path, owner string) symbol.Candidate {
		c := method(path, "rust", owner)
		c.Name = "len"
		return c
	}
	goMethods := []symbol.Candidate{method("auth/session.go", "go", "Sessions"), method("disk/log.go", "go", "Log")}
	goFunctions := []symbol.Candidate{function("auth/keys.go", "go"), function("disk/keys.go", "go")}
	py := []symbol.Candidate{function("shop/keys.py", "python"), function("shop/disk.py", "python")}
	ts := []symbol.Candidate{function("src/keys.ts", "typescript"), function("src/ops/keys.ts", "typescript")}
	for _, test := range []struct {
		name       string
		candidates []symbol.Candidate
		use        symbol.Use
		want       int // -1: none
	}{
		{"a receiver whose type is known", goMethods, symbol.Use{Path: "web/a.go", Language: "go",
			Reference: symbol.Reference{Receiver: "x", Type: "Log"}}, 1},
		{"a receiver that is called like its type", goMethods, symbol.Use{Path: "web/a.go", Language: "go",
			Reference: symbol.Reference{Receiver: "w.sessions"}}, 0},
		{"a member that the language's own types have", []symbol.Candidate{builtin("b.rs", "Log")},
			symbol.Use{Path: "a.rs", Language: "rust", Reference: symbol.Reference{Receiver: "x()"}}, -1},
		{"one on a receiver that is called like its type", []symbol.Candidate{builtin("b.rs", "Log")},
			symbol.Use{Path: "a.rs", Language: "rust", Reference: symbol.Reference{Receiver: "self.log"}}, 0},
		{"a function of another package", goFunctions, symbol.Use{Path: "web/a.go", Language: "go",
			Imports:   []string{`import "example.com/shop/disk" `},
			Reference: symbol.Reference{Receiver: "disk"}}, 1},
		{"a function of a package that is not of the project", goFunctions, symbol.Use{Path: "web/a.go", Language: "go",
			Imports:   []string{`import "image" `},
			Reference: symbol.Reference{Receiver: "image"}}, -1},
		{"a package of a module with a major version", []symbol.Candidate{function("keys.go", "go")},
			symbol.Use{Path: "web/a.go", Language: "go",
				Imports: []string{`import "example.com/shop/v5" `}, Reference: symbol.Reference{Receiver: "shop"}}, 0},
		{"the own package", goFunctions, symbol.Use{Path: "disk/other.go", Language: "go"}, 1},
		{"no package", goFunctions, symbol.Use{Path: "web/a.go", Language: "go"}, -1},
		{"a method is not called by itself in Go", goMethods, symbol.Use{Path: "disk/other.go", Language: "go"}, -1},
		{"a name imported in Python", py, symbol.Use{Path: "app.py", Language: "python",
			Imports: []string{"from shop.disk import rotate "}}, 1},
		{"one passed on by a package", py[:1], symbol.Use{Path: "app.py", Language: "python",
			Imports: []string{"from shop import rotate "}}, 0},
		{"one from elsewhere", py, symbol.Use{Path: "app.py", Language: "python",
			Imports: []string{"from numpy import rotate "}}, -1},
		{"one that is not imported", py, symbol.Use{Path: "app.py", Language: "python"}, -1},
		{"a module's alias", py, symbol.Use{Path: "shop/web.py", Language: "python",
			Imports:   []string{"from . import keys as k "},
			Reference: symbol.Reference{Receiver: "k"}}, 0},
		{"a file beside", ts, symbol.Use{Path: "src/a.ts", Language: "typescript",
			Imports: []string{"import { rotate } from './ops/keys.js' "}}, 1},
		{"a package", ts, symbol.Use{Path: "src/a.ts", Language: "typescript",
			Imports: []string{"import { rotate } from 'crypto' "}}, -1},
		{"this", []symbol.Candidate{method("a.ts", "typescript", "Sessions"), method("a.ts", "typescript", "Log")},
			symbol.Use{Path: "a.ts", Language: "typescript", Reference: symbol.Reference{Receiver: "this", Type: "Log",
				In: []string{"Log", "flush"}}}, 1},
		{"a literal's key", []symbol.Candidate{field("a.go", "go", "Options"), field("b.go", "go", "Config")},
			symbol.Use{Path: "c.go", Language: "go", Reference: symbol.Reference{Role: symbol.Key, Type: "Config"}}, 1},
		{"a key of another type", []symbol.Candidate{field("a.go", "go", "Options"), field("b.go", "go", "Config")},
			symbol.Use{Path: "c.go", Language: "go", Reference: symbol.Reference{Role: symbol.Key, Type: "Server"}}, -1},
		{"another language", goFunctions, symbol.Use{Path: "auth/a.py", Language: "python",
			Imports: []string{"from keys import rotate "}}, -1},
		{"a header's function in C", []symbol.Candidate{function("keys.h", "c")}, symbol.Use{Path: "src/main.c",
			Language: "c", Imports: []string{`#include "keys.h" `}}, 0},
		{"an own method without this in Java", []symbol.Candidate{method("A.java", "java", "A"),
			method("B.java", "java", "B")},
			symbol.Use{Path: "B.java", Language: "java", Reference: symbol.Reference{In: []string{"B", "run"}}}, 1},
	} {
		r := symbol.Resolver{Candidates: test.candidates, Defined: func(name string) bool { return name != "Server" }}
		got := -1
		if found := r.Resolve(test.use); len(found) > 0 {
			got = found[0]
		}
		if got != test.want {
			t.Errorf("%s: candidate %d, want %d", test.name, got, test.want)
		}
	}
}
