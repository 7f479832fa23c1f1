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
	if err := os.WriteFile(path, []byte(`{"threads": 900, "theme": "dark", "later": {"x": 1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, problems, err := OpenSettings(dir, someSettings)
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
	if err := s.Set(map[string]any{"paused": true, "theme": nil}); err != nil {
		t.Fatal(err)
	}
	again, problems, err := OpenSettings(dir, someSettings)
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
	if err := os.WriteFile(path, []byte(`{"theme": `), 0o600); err != nil {
		t.Fatal(err)
	}
	s, problems, err := OpenSettings(dir, someSettings)
	if err != nil || len(problems) != 1 || s.Get("theme") != "system" {
		t.Fatal(err, problems)
	}
	if text, err := os.ReadFile(path + ".bad"); err != nil || string(text) != `{"theme": ` {
		t.Fatalf("%v %q", err, text)
	}
}
