package search

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
)

func TestSpelt(t *testing.T) {
	for in, want := range map[string]string{"Session::close()": "close", "@router": "router", "größe": "größe",
		"a.b.größeÄ": "größeä", "": "", "()": "", "x": "x", "save!": "save"} {
		var q parsedQuery
		q.addName(in)
		if got := strings.Join(q.spelt, " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestContainsName(t *testing.T) {
	q := parsedQuery{spelt: []string{"close", "größe"}}
	for text, want := range map[string]bool{"Close()": true, "closer, disclose, x_close": false, "(GRÖSSE, größe)": true,
		"": false, "disclose close": true} {
		if got := q.containsName(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Text marked as code is a name. Change messages are not messages of programs.
func TestNamesAndChanges(t *testing.T) {
	for _, tc := range []struct {
		query  string
		kind   queryKind
		names  int
		change bool
	}{
		{"Fix panic in `close` of a session", mixed, 1, true},
		{"fix(router): keep the query when a path is cleaned", changeMessage, 0, true},
		{"io: fix unsoundness in the read half", changeMessage, 0, true},
		{"[Android] Fixed a crash when the list is empty", changeMessage, 0, true},
		{"tls: bad certificate of the peer", mixed, 0, false},
		{"missing port in address", mixed, 0, false},
		{"fix", symbol, 1, false},
	} {
		q := parseQuery(api.Query{Text: tc.query})
		if q.kind != tc.kind || len(q.names) != tc.names || q.change != tc.change {
			t.Errorf("%q: %s, names %v, change %v", tc.query, kindNames[q.kind], q.names, q.change)
		}
	}
	q := parseQuery(api.Query{Text: "Fix issue"})
	q.setWeights(nil)
	if c := q.coverage(text.Set{1}); c < 0 || c > 1 {
		t.Errorf("a query of nothing but noise: coverage %v", c)
	}
}

// Each form of a frame yields the path of its file, and line 12.
func TestFrameOf(t *testing.T) {
	for line, want := range map[string]string{
		`  File "/usr/lib/app/core.py", line 12, in lookup`:      "/usr/lib/app/core.py",
		"    at async Queue.run (file:///srv/lib/queue.js:12:7)": "/srv/lib/queue.js",
		"	at org.shop.Cart.add(Cart.java:12)":                    "cart.java",
		"lib/cart.rb:12:in `add'":                                "lib/cart.rb",
		"#3 /srv/src/Cart.php(12): Shop\\Cart->add()":            "/srv/src/cart.php",
		`   at Shop.Cart.Add(Int32 n) in C:\src\Cart.cs:line 12`: "c:/src/cart.cs",
		"#1  0x00ff in cart_add (c=0x1) at src/cart.c:12":        "src/cart.c",
		"    (shop 0.1.0) lib/cart.ex:12: Shop.Cart.add/2":       "lib/cart.ex",
		" --> src/cart.rs:12:5":                                  "src/cart.rs",
		"cart.go:12: undefined: add":                             "cart.go",
		"see chapter 12 of the guide":                            "",
		"connect to example.com:12":                              "",
		"it should not be done in src/cart.go:12":                "",
	} {
		if got, ok := frameOf(line); got.path != want || ok && got.line != 12 {
			t.Errorf("%q: %+v, want %q", line, got, want)
		}
	}
}

var kindNames = [...]string{"sentence", "message of a change", "symbol", "mixed", "path", "report"}
