package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMerge merges the modules of two programs with the repository's other components.
func TestMerge(t *testing.T) {
	others, crates, err := notGo(t.Context(), filepath.Join("..", ".."), "linux/amd64")
	if err != nil {
		t.Fatal(err)
	}
	program := func(name string) bom {
		return bom{Metadata: object{"component": object{"bom-ref": name, "type": "application"}},
			Components:   []object{{"bom-ref": "pkg:golang/a@v1"}},
			Dependencies: []dependency{{name, []string{"pkg:golang/a@v1"}}, {"pkg:golang/a@v1", nil}}}
	}
	b := merge("1.2.3", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), []bom{program("one"), program("two")}, others, crates)
	known := map[string]object{"pkg:generic/search-mcp": b.Metadata["component"].(object)}
	for _, c := range b.Components {
		ref := c["bom-ref"].(string)
		if known[ref] != nil {
			t.Errorf("%s is listed twice", ref)
		}
		known[ref] = c
	}
	for _, want := range []string{"one", "two", "pkg:golang/a@v1", "pkg:generic/onnxruntime@", "pkg:generic/lancedb@",
		"pkg:cargo/datafusion@", "pkg:generic/all-MiniLM"} {
		found := false
		for ref, c := range known {
			if !strings.HasPrefix(ref, want) {
				continue
			}
			found = true
			if strings.HasPrefix(ref, "pkg:") && !strings.HasPrefix(ref, "pkg:golang") &&
				(c["version"] == "" || c["hashes"] == nil || c["licenses"].([]object)[0]["expression"] == "") {
				t.Errorf("%s lacks a version, hash or licence: %v", ref, c)
			}
		}
		if !found {
			t.Errorf("%s… is not in the bill", want)
		}
	}
	reached := map[string]bool{}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			reached[ref] = true
			if known[ref] == nil {
				t.Errorf("a dependency names %s, which is no component", ref)
			}
		}
	}
	for ref := range known {
		if !reached[ref] {
			t.Errorf("nothing depends on %s", ref)
		}
	}
	if at := b.Metadata["timestamp"]; at != "2026-01-02T03:04:05Z" {
		t.Errorf("the bill's date is %v", at)
	}
}

func TestCratesOf(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	lock := "version = 3\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \"" + sum +
		"\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n"
	list, err := cratesOf("Title\n=====\n\na 1.0.0: MIT\nown 0.1.0: ISC\n\n====\na text: of a\n", lock)
	if err != nil || len(list) != 2 || list[0]["hashes"].([]object)[0]["content"] != sum || list[1]["hashes"] != nil {
		t.Errorf("%v, %v", list, err)
	}
	for _, bad := range []string{"", "Title\n=====\n\na 1.0.0\n", "Title\n=====\n\nb 2: MIT\n"} {
		if _, err := cratesOf(bad, lock); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
