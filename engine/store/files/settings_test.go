package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var someSettings = []Setting{
	{Key: "threads", Default: float64(0), Want: "a number from 0 to 64",
		Valid: func(v any) bool { n := v.(float64); return n >= 0 && n <= 64 }},
	{Key: "paused", Default: false, Want: "true or false"},
	{Key: "theme", Default: "system", Want: "system, light or dark"},
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, SettingsName)
	must(t, os.WriteFile(path, []byte(`{"threads": 900, "theme": "dark", "later": {"x": 1}}`), 0o600))
	s, problems, err := OpenSettings(dir, someSettings, map[string]any{"paused": true})
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0], "threads") {
		t.Fatal(err, problems)
	}
	if s.Get("threads") != float64(0) || s.Get("theme") != "dark" || s.Get("paused") != false {
		t.Fatalf("%+v", s.All())
	}
	for _, bad := range []map[string]any{{"nope": 1}, {"paused": "yes"}, {"paused": true, "threads": -1}} {
		if err := s.Set(bad); !errors.Is(err, ErrSetting) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if s.Get("paused") != false {
		t.Fatal("a refused change took effect in part")
	}
	must(t, s.Set(map[string]any{"paused": true, "theme": nil}))
	again, problems, err := OpenSettings(dir, someSettings, map[string]any{"paused": true})
	if err != nil || len(problems) > 0 || again.Get("paused") != true || again.Get("theme") != "system" {
		t.Fatal(err, problems, again.All())
	}
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), `"later"`) {
		t.Fatalf("an unknown setting was lost: %s", text)
	}
}

func TestDamagedSettingsAreSetAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, SettingsName)
	must(t, os.WriteFile(path, []byte(`{"theme": `), 0o600))
	s, problems, err := OpenSettings(dir, someSettings, map[string]any{"paused": true})
	if err != nil || len(problems) != 1 || s.Get("theme") != "system" {
		t.Fatal(err, problems)
	}
	wantEqual(t, s.Get("paused"), true, "whether indexing is paused is not known, and it is not: get")
	must(t, s.Set(map[string]any{"theme": "dark", "paused": false}))
	for name, spoil := range map[string]func() error{
		"truncated": func() error { return os.WriteFile(path, []byte(`{"theme": "da`), 0o600) },
		"removed":   func() error { return os.Remove(path) },
		"wrong":     func() error { return os.WriteFile(path, []byte(`{"theme": 1, "Paused": true}`), 0o600) },
	} {
		must(t, spoil())
		s, problems, err := OpenSettings(dir, someSettings, map[string]any{"paused": true})
		if err != nil || len(problems) == 0 || s.Get("theme") != "dark" || s.Get("paused") != false {
			t.Errorf("%s: %v, %q, %+v", name, err, problems, s.All())
		}
	}
	must(t, os.WriteFile(path, []byte(`{"theme": `), 0o600))
	if _, _, err := OpenSettings(dir, someSettings, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path + ".bad"); err != nil || string(text) != `{"theme": ` {
		t.Fatalf("%v %q", err, text)
	}
}
