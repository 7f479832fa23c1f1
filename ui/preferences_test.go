package ui

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"searchmcp/ui/page"
)

// TestPreferencesSurviveFynesFile starts each time with empty preferences, as if Fyne's file had been truncated.
func TestPreferencesSurviveFynesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	first := test.NewTempApp(t).Preferences()
	first.SetStringList(page.PrefSaved, []string{"rate limit"}) // of a version that used only Fyne's file
	KeepPreferences(first, path)
	first.SetStringList(page.PrefAsked, []string{"retry\t2026-11-29T13:00:00Z"})
	first.SetString(page.PrefTheme, "light")
	first.SetString(page.PrefOpener, "zed")
	first.SetFloat(prefWidth, 900)
	first.SetBool(prefClosed, true)
	first.RemoveValue(page.PrefOpener)

	second := test.NewTempApp(t).Preferences()
	KeepPreferences(second, path)
	if got := second.StringList(page.PrefSaved); !slices.Equal(got, []string{"rate limit"}) {
		t.Errorf("saved searches %q", got)
	}
	if got := second.StringList(page.PrefAsked); len(got) != 1 {
		t.Errorf("history %q", got)
	}
	if theme, opener := second.String(page.PrefTheme), second.String(page.PrefOpener); theme != "light" || opener != "" {
		t.Errorf("theme %q, opener %q", theme, opener)
	}
	if w, h := second.Float(prefWidth), second.FloatWithFallback(prefHeight, 780); w != 900 || h != 780 {
		t.Errorf("size %v × %v", w, h)
	}
	if !second.Bool(prefClosed) {
		t.Error("the note about the tray would appear again")
	}
	second.RemoveValue(page.PrefAsked)

	third := test.NewTempApp(t).Preferences()
	KeepPreferences(third, path)
	if got := third.StringList(page.PrefAsked); len(got) != 0 {
		t.Errorf("deleted history came back: %q", got)
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("a temporary file is left")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	KeepPreferences(third, path)
	if got := third.StringList(page.PrefSaved); !slices.Equal(got, []string{"rate limit"}) {
		t.Errorf("after a damaged file: saved searches %q", got)
	}
}
