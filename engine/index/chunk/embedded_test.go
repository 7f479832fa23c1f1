package chunk

import (
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// Code in pages and notebooks is parsed by its own grammar. Its declarations have the file's lines, and their names are
// symbols of the chunks.
func TestCodeInPages(t *testing.T) {
	for path, test := range map[string]struct{ text, want string }{
		"a.vue": {"<template>\n<p/>\n</template>\n<script>\nexport default {\n  methods: {\n" +
			"    raise(by) { return by },\n  },\n}\n</script>\n",
			"raise"},
		"typed.vue": {"<script setup lang=\"ts\" generic=\"T extends Row<string>\">\n" +
			"class Till { close(n: number) {} }\n</script>\n",
			"Till close"},
		"a.svelte": {"<script context=\"module\">\nexport function load() {}\n</script>\n<script>\n" +
			"function shut() {}\n</script>\n<b/>\n",
			"load shut"},
		"a.astro": {"---\nconst shop = { open() {} }\n---\n<p>{shop.open()}</p>\n<script>\n" +
			"function tick() {}\n</script>\n",
			"shop tick"},
		"a.html": {"<script type=\"application/json\">{\"function\": 1}</script>\n<script>\nclass Menu {\n" +
			"  unfold() {}\n}\n</script>\n",
			"Menu unfold"},
		"a.razor": {"@page \"/\"\n<p>@Sum()</p>\n@code {\n    private int n;\n    private int Sum() => n;\n}\n" +
			"", "n Sum"},
		"a.erb": {"<% def shout(x) %>\n<% end %>\n<p><%= shout(1) %></p>\n", "shout"},
		"a.mdx": {"# Sales\n\nexport const year = () => {\n  let n = 1\n\n  return n\n}\n\nText, and how not to:\n\n" +
			"```js\nexport function shown() {}\n```\n\n## More\n\nexport function Till() { return <b/> }\n\n<Till/>\n",
			"year Till"},
		"crlf.mdx": {"export const year = 1\r\n\r\nText.\r\n\r\n```js\r\nexport function shown() {}\r\n```\r\n", "year"},
		"a.ejs":    {"<% function shout(x) { %>\n<b/>\n<% } %>\n", "shout"},
		"a.ipynb": {"{\n\"cells\": [\n{\"cell_type\": \"code\", \"source\": [\n\"%matplotlib inline\\n\",\n" +
			"\"def build(x):\\n\",\n" +
			"\"    return x\"\n]},\n{\"cell_type\": \"code\", \"source\": \"class Net:\\n" +
			"    def forward(self): pass\"}\n]}\n",
			"build Net"},
	} {
		chunks, _, err := newChunker().Chunk(t.Context(), path, api.CorpusCode, []byte(test.text), "hash")
		must(t, err)
		lines := strings.Split(test.text, "\n")
		for name := range strings.FieldsSeq(test.want) {
			found := false
			for _, c := range chunks {
				for _, d := range c.Decls {
					if d.Name == name {
						found = slices.Contains(c.Symbols, name) || found
						if line := lines[min(d.Line, len(lines))-1]; !strings.Contains(line, name) && !strings.HasSuffix(path, "ipynb") {
							t.Errorf("%s: %s in line %d, %q", path, name, d.Line, line)
						}
					}
				}
			}
			if !found {
				t.Errorf("%s: %s is no declaration of its chunk: %+v", path, name, chunks)
			}
		}
	}
}

// If lines end in a single CR, a comment ends with its line, and the next line is parsed.
func TestCarriageReturns(t *testing.T) {
	for path, text := range map[string]string{
		"a.py": "# about\rclass Heron:\r    def fly(self):\r        pass\r",
		"a.js": "// about\rclass Heron {\r  fly() {}\r}\r",
		"a.go": "package a\r// about\rtype Heron struct{}\rfunc (h Heron) fly() {}\r",
	} {
		chunks, _, err := newChunker().Chunk(t.Context(), path, api.CorpusCode, []byte(text), "hash")
		must(t, err)
		var names []string
		for _, c := range chunks {
			for _, d := range c.Decls {
				names = append(names, d.Name)
			}
		}
		if !slices.Contains(names, "Heron") || !slices.Contains(names, "fly") {
			t.Errorf("%s: %q", path, names)
		}
	}
}

// An outline has the headings that cut a document, but none inside fences.
func TestSections(t *testing.T) {
	text := "Title of one line\n=====\n\nSub title\n---------\n\n~~~\n# no heading\n~~~\n\n````\n```\n# none either\n" +
		"```\n````\n\n## Last\n"
	var got []string
	for _, d := range Sections("markdown", text) {
		got = append(got, strings.Join(append(slices.Clone(d.Scope), d.Name), "/"))
	}
	want := "Title of one line, Title of one line/Sub title, Title of one line/Last"
	if strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, text := range []string{"- an item\n  of two lines\n---\n", "| a\n| b\n---\n", "a\nb\nc\nd\n---\n",
		"1. a\nb\n---\n"} {
		if got := Sections("markdown", text); len(got) > 0 && got[0].Name != "" {
			t.Errorf("%q has a title: %+v", text, got)
		}
	}
	if got := Sections("mdx", "# One\n\nexport const a = 1\n"); len(got) != 1 || got[0].Name != "One" {
		t.Errorf("MDX: %+v", got)
	}
	if Sections("go", "package a\n") != nil {
		t.Error("code has sections")
	}
}
