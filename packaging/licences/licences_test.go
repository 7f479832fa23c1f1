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
		"LICENSES/x": "in a folder",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := licenceTexts(dir)
	if got, want := strings.Join(texts, "|"), "we|gpl|mit|apache|notice|free"; err != nil || got != want {
		t.Errorf("texts %q, want %q (%v)", got, want, err)
	}
}

func TestRender(t *testing.T) {
	all := components{"b 2": {"MIT", []string{"the terms\nof b"}}, "a 1": {"", []string{"the  terms of\nb", "own terms"}}}
	text, err := all.render("T")
	if err != nil {
		t.Fatal(err)
	}
	out := string(text)
	if n := strings.Count(strings.Join(strings.Fields(out), " "), "the terms of b"); n != 1 {
		t.Errorf("the shared text occurs %d times in\n%s", n, out)
	}
	for _, want := range []string{"a 1\nb 2: MIT\n", "a 1, b 2\n", "own terms"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	all["neither 3"] = &licences{}
	if _, err := all.render("T"); err == nil || !strings.HasSuffix(err.Error(), "for neither 3") {
		t.Errorf("error %v, want an error that names neither 3", err)
	}
}

func TestModulesAreFoundWithTheirTexts(t *testing.T) {
	all := components{}
	if err := all.addModules(t.Context(), "../.."); err != nil {
		t.Fatal(err)
	}
	for id, l := range all {
		if len(l.texts) == 0 {
			t.Errorf("%s has no text", id)
		}
	}
	if len(all) < 50 {
		t.Errorf("%d components", len(all))
	}
}

func TestCrateOf(t *testing.T) {
	for line, want := range map[string]string{
		"lancedb-go v0.25.1 (/src/rust)\tApache-2.0\n":                "||",
		"serde_derive v1.0.226 (proc-macro)\tMIT OR Apache-2.0 (*)\n": "serde_derive|1.0.226|MIT OR Apache-2.0",
		"zstd-sys v2.0.16+zstd.1.5.7\tMIT/Apache-2.0\n":               "zstd-sys|2.0.16+zstd.1.5.7|MIT OR Apache-2.0",
	} {
		name, version, declared := crateOf(line)
		if got := strings.Join([]string{name, version, declared}, "|"); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
