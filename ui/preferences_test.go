package ui

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"searchmcp/ui/page"
)

// TestPreferences moves the values of Fyne's file, which is outside of the data folder, and reads them again.
func TestPreferences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	old := test.NewTempApp(t).Preferences()
	old.SetStringList(page.PrefSaved, []string{"rate limit"})
	old.SetStringList(page.PrefAsked, []string{"retry"})
	first := OpenPreferences(old, path)
	if left := slices.Concat(old.StringList(page.PrefSaved), old.StringList(page.PrefAsked)); len(left) > 0 {
		t.Errorf("Fyne's file still has %q", left)
	}
	first.SetStringList(page.PrefAsked, []string{"retry\t2026-11-29T13:00:00Z"})
	first.SetString(page.PrefTheme, "light")
	first.SetString(page.PrefOpener, "zed")
	first.SetFloat(prefWidth, 900)
	first.SetBool(prefClosed, true)
	first.RemoveValue(page.PrefOpener)
	open := func() *Preferences { return OpenPreferences(test.NewTempApp(t).Preferences(), path) }

	late := test.NewTempApp(t).Preferences()
	late.SetStringList(page.PrefAsked, []string{"of an earlier version"})
	OpenPreferences(late, path)
	if left := late.StringList(page.PrefAsked); len(left) > 0 {
		t.Errorf("beside an existing file, Fyne's file still has %q", left)
	}

	second := open()
	if got := second.StringList(page.PrefSaved); !slices.Equal(got, []string{"rate limit"}) {
		t.Errorf("saved searches %q", got)
	}
	if got := second.StringList(page.PrefAsked); len(got) != 1 {
		t.Errorf("history %q", got)
	}
	if theme, opener := second.String(page.PrefTheme), second.String(page.PrefOpener); theme != "light" || opener != "" {
		t.Errorf("theme %q, opener %q", theme, opener)
	}
	if w, h := second.FloatWithFallback(prefWidth, 1280), second.FloatWithFallback(prefHeight, 780); w != 900 || h != 780 {
		t.Errorf("size %v × %v", w, h)
	}
	if !second.Bool(prefClosed) {
		t.Error("the note about the tray would appear again")
	}
	second.RemoveValue(page.PrefAsked)
	if got := open().StringList(page.PrefAsked); len(got) != 0 {
		t.Errorf("deleted history came back: %q", got)
	}
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("a temporary file was not removed")
	}
	for _, damaged := range []string{"", "null", `{"texts": null, "lists": 1}`} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		p := open()
		p.SetString(page.PrefTheme, "dark")
		if got := open().String(page.PrefTheme); got != "dark" {
			t.Errorf("after %q: theme %q", damaged, got)
		}
	}
}
