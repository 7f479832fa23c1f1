package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLicenceTextsTakesTextsOnly(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": "mit\r\n", "LICENSE-APACHE": "apache", "COPYING.txt": "gpl", "NOTICE": "notice", "UNLICENSE": "free",
		"AUTHORS":    "we",
		"license.go": "code", "README.md": "read", "licensing.md": "prose", "LICENSE.html": "page", "licence_empty": " \n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "LICENSES"), 0o700); err != nil {
		t.Fatal(err)
	}
	texts, err := licenceTexts(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(texts, "|"), "we|gpl|mit|apache|notice|free"; got != want {
		t.Errorf("texts %q, want %q", got, want)
	}
}

func TestRenderPrintsEachTextOnce(t *testing.T) {
	out := string(render("T", []component{
		{Name: "b", Version: "2", Licence: "MIT", Texts: []string{"the terms\nof b"}},
		{Name: "a", Version: "1", Texts: []string{"the  terms of\nb", "own terms"}},
	}))
	if n := strings.Count(strings.Join(strings.Fields(out), " "), "the terms of b"); n != 1 {
		t.Errorf("the shared text occurs %d times in\n%s", n, out)
	}
	for _, want := range []string{"a 1\nb 2: MIT\n", "a 1, b 2\n", "own terms"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestMissingLicenceIsAnError(t *testing.T) {
	err := missing([]component{{Name: "declared", Licence: "MIT"}, {Name: "texts", Texts: []string{"x"}},
		{Name: "neither", Version: "3"}})
	if err == nil || !strings.Contains(err.Error(), "neither 3") || strings.Contains(err.Error(), "declared") {
		t.Errorf("error %v, want one that names neither 3", err)
	}
}

func TestModulesAreFoundWithTheirTexts(t *testing.T) {
	list, err := moduleComponents(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range list {
		found = found || c.Name == "Go standard library" && len(c.Texts) > 0
		if len(c.Texts) == 0 {
			t.Errorf("%s has no text", c.id())
		}
	}
	if !found {
		t.Error("Go's own licence is missing")
	}
}
