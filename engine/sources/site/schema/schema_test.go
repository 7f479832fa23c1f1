package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `{
"version": "3.0",
"generated": "2025-01-15T12:00:00.000Z",
"site": {
"name": "My Website",
"domain": "example.com",
"description": "A site about interesting topics",
"toolPrefix": "mysite"
},
"pageCount": 1,
"pages": [
{
"url": "/about",
"title": "About Us",
"abstract": "Learn about our team and mission.",
"date": "2025-01-01",
"topics": ["about", "team"],
"body": "Full page content here..."
}
]
}`

func TestExample(t *testing.T) {
	x, problems := Parse([]byte(example))
	if problems != nil {
		t.Fatal(problems)
	}
	want := &Index{
		Version: "3.0", Generated: "2025-01-15T12:00:00.000Z", PageCount: 1,
		Site: &Site{Name: "My Website", Domain: "example.com", Description: "A site about interesting topics",
			ToolPrefix: "mysite"},
		Pages: []Page{{URL: "/about", Title: "About Us", Abstract: "Learn about our team and mission.", Date: "2025-01-01",
			Topics: []string{"about", "team"}, Body: "Full page content here..."}},
	}
	wantEqual(t, x, want, "x")
	wantEqual(t, x.Meta().Absolute("/about"), "https://example.com/about", "absolute")
	wantEqual(t, x.Meta().Prefix(), "mysite", "prefix")
	if _, p := Parse([]byte(strings.Replace(example, `"pageCount": 1`, `"pageCount": 42`, 1))); len(p) != 1 ||
		p[0].Path+": "+p[0].Message != "pageCount: is 42, but pages has length 1" {
		t.Error(p)
	}
}

func edit(t *testing.T, change func(root, site, page map[string]any)) []byte {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(example), &root); err != nil {
		t.Fatal(err)
	}
	change(root, root["site"].(map[string]any), root["pages"].([]any)[0].(map[string]any))
	b, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRules(t *testing.T) {
	type m = map[string]any
	tests := []struct {
		name   string
		change func(root, site, page m)
		want   []string
	}{
		{"no version", func(r, _, _ m) { delete(r, "version") }, []string{"version"}},
		{"version number", func(r, _, _ m) { r["version"] = 3 }, []string{"version"}},
		{"version form", func(r, _, _ m) { r["version"] = "three" }, []string{"version"}},
		{"version from the future", func(r, _, _ m) { r["version"] = "4.0" }, []string{"version"}},
		{"no generated", func(r, _, _ m) { delete(r, "generated") }, []string{"generated"}},
		{"generated form", func(r, _, _ m) { r["generated"] = "yesterday" }, []string{"generated"}},
		{"no site in version 3", func(r, _, _ m) { delete(r, "site") }, []string{"site"}},
		{"no site in version 2", func(r, _, _ m) { delete(r, "site"); r["version"] = "2.1" }, nil},
		{"site is no object", func(r, _, _ m) { r["site"] = "x" }, []string{"site"}},
		{"no site name", func(_, s, _ m) { delete(s, "name") }, []string{"site.name"}},
		{"site name of two lines", func(_, s, _ m) { s["name"] = "My\nWebsite" }, []string{"site.name"}},
		{"blank site name", func(_, s, _ m) { s["name"] = " " }, []string{"site.name"}},
		{"no domain", func(_, s, _ m) { delete(s, "domain") }, []string{"site.domain"}},
		{"domain with protocol", func(_, s, _ m) { s["domain"] = "https://example.com" }, []string{"site.domain"}},
		{"domain with path", func(_, s, _ m) { s["domain"] = "example.com/x" }, []string{"site.domain"}},
		{"domain with user", func(_, s, _ m) { s["domain"] = "a@example.com" }, []string{"site.domain"}},
		{"domain with port", func(_, s, _ m) { s["domain"] = "localhost:8080" }, nil},
		{"no description", func(_, s, _ m) { delete(s, "description") }, nil},
		{"description type", func(_, s, _ m) { s["description"] = 1 }, []string{"site.description"}},
		{"no prefix", func(_, s, _ m) { delete(s, "toolPrefix") }, nil},
		{"empty prefix", func(_, s, _ m) { s["toolPrefix"] = "" }, []string{"site.toolPrefix"}},
		{"prefix in capitals", func(_, s, _ m) { s["toolPrefix"] = "MySite" }, []string{"site.toolPrefix"}},
		{"prefix begins with a digit", func(_, s, _ m) { s["toolPrefix"] = "1site" }, []string{"site.toolPrefix"}},
		{"prefix with hyphen", func(_, s, _ m) { s["toolPrefix"] = "my-site" }, []string{"site.toolPrefix"}},
		{"prefix with digits and underscore", func(_, s, _ m) { s["toolPrefix"] = "my_site2" }, nil},
		{"no page count", func(r, _, _ m) { delete(r, "pageCount") }, []string{"pageCount"}},
		{"page count type", func(r, _, _ m) { r["pageCount"] = "1" }, []string{"pageCount"}},
		{"page count wrong", func(r, _, _ m) { r["pageCount"] = 2 }, []string{"pageCount"}},
		{"page count broken", func(r, _, _ m) { r["pageCount"] = 1.5 }, []string{"pageCount"}},
		{"no pages", func(r, _, _ m) { delete(r, "pages") }, []string{"pages"}},
		{"pages type", func(r, _, _ m) { r["pages"] = m{} }, []string{"pages"}},
		{"page type", func(r, _, _ m) { r["pages"] = []any{"x"} }, []string{"pages[0]"}},
		{"no url", func(_, _, p m) { delete(p, "url") }, []string{"pages[0].url"}},
		{"url with domain", func(_, _, p m) { p["url"] = "https://example.com/about" }, []string{"pages[0].url"}},
		{"url without slash", func(_, _, p m) { p["url"] = "about" }, []string{"pages[0].url"}},
		{"url with trailing slash", func(_, _, p m) { p["url"] = "/posts/hello/" }, []string{"pages[0].url"}},
		{"url of another host", func(_, _, p m) { p["url"] = "//evil.example/x" }, []string{"pages[0].url"}},
		{"url with space", func(_, _, p m) { p["url"] = "/a b" }, []string{"pages[0].url"}},
		{"root url", func(_, _, p m) { p["url"] = "/" }, nil},
		{"no title", func(_, _, p m) { delete(p, "title") }, []string{"pages[0].title"}},
		{"optional fields absent or null", func(_, _,
			p m) {
			delete(p, "abstract")
			delete(p, "topics")
			p["date"] = nil
			p["body"] = nil
		}, nil},
		{"abstract type", func(_, _, p m) { p["abstract"] = []any{} }, []string{"pages[0].abstract"}},
		{"date form", func(_, _, p m) { p["date"] = "01/02/2025" }, []string{"pages[0].date"}},
		{"date that is none", func(_, _, p m) { p["date"] = "2025-02-30" }, []string{"pages[0].date"}},
		{"topics type", func(_, _, p m) { p["topics"] = "a,b" }, []string{"pages[0].topics"}},
		{"topic type", func(_, _, p m) { p["topics"] = []any{"a", 1} }, []string{"pages[0].topics[1]"}},
		{"body type", func(_, _, p m) { p["body"] = true }, []string{"pages[0].body"}},
		{"duplicate url", func(r, _, p m) {
			r["pages"] = []any{p, m{"url": "/about", "title": "x"}}
			r["pageCount"] = 2
		}, []string{"pages[1].url"}},
		{"all at once", func(r, s, p m) {
			delete(r, "version")
			s["toolPrefix"] = "X"
			r["pageCount"] = 7
			p["url"] = "x"
			delete(p, "title")
		},
			[]string{"version", "site.toolPrefix", "pageCount", "pages[0].url", "pages[0].title"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, problems := Parse(edit(t, tt.change))
			var got []string
			for _, p := range problems {
				got = append(got, p.Path)
			}
			wantEqual(t, got, tt.want, "result")
			wantEqual(t, x == nil, len(tt.want) > 0, "an index beside its problems")
		})
	}
}

func TestNotJSON(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "$: not valid JSON: it ends too early (line 1)",
		"{\n\"a\": 1,\n":            "$: not valid JSON: it ends too early (line 3)",
		"{\n\"a\": x}":              "$: not valid JSON: invalid character 'x' looking for beginning of value (line 2)",
		"[]":                        "$: must be an object, but is an array",
		"null":                      "$: must be an object, but is null",
		`{"version":"3.0"} {"a":1}`: "$: unexpected data after the JSON object",
	} {
		if _, p := Parse([]byte(in)); len(p) != 1 || p[0].Path+": "+p[0].Message != want {
			t.Errorf("%q: %v, want %s", in, p, want)
		}
	}
}

func TestMigration(t *testing.T) {
	x, problems := Parse(edit(t, func(r, _, _ map[string]any) { delete(r, "site"); r["version"] = "2.0" }))
	if problems != nil {
		t.Fatal(problems)
	}
	wantEqual(t, cmp.Diff(Site{Name: "Website", Domain: "example.com", Description: "Search this website"}, x.Meta()),
		"", "diff")
	wantEqual(t, x.Meta().Prefix(), "website", "prefix")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(`{"pages":[{"url":"/%zz","topics":[null]}],"site":{"domain":"[::1"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, problems := Parse(data)
		if (x == nil) == (len(problems) == 0) {
			t.Fatalf("index %v with problems %v", x, problems)
		}
		if x == nil {
			return
		}
		again, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if _, p := Parse(again); p != nil {
			t.Fatalf("a valid index is invalid after encoding: %v\n%s", p, again)
		}
	})
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}
