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
	wantEqual(t, len(slices.Concat(old.StringList(page.PrefSaved), old.StringList(page.PrefAsked))),
		0, "Fyne's file still has: concat")
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
	wantEqual(t, len(late.StringList(page.PrefAsked)), 0, "beside an existing file, Fyne's file still has: stringlist")

	second := open()
	wantList(t, second.StringList(page.PrefSaved), []string{"rate limit"}, "saved searches")
	wantEqual(t, len(second.StringList(page.PrefAsked)), 1, "stringlist")
	if theme, opener := second.String(page.PrefTheme), second.String(page.PrefOpener); theme != "light" || opener != "" {
		t.Errorf("theme %q, opener %q", theme, opener)
	}
	if w, h := second.FloatWithFallback(prefWidth, 1280), second.FloatWithFallback(prefHeight, 780); w != 900 || h != 780 {
		t.Errorf("size %v × %v", w, h)
	}
	wantEqual(t, second.Bool(prefClosed), true, "the note about the tray would appear again")
	second.RemoveValue(page.PrefAsked)
	wantEqual(t, len(open().StringList(page.PrefAsked)), 0, "deleted history came back: stringlist")
	if _, err := os.Stat(path + ".new"); err == nil {
		t.Error("a temporary file was not removed")
	}
	for _, damaged := range []string{"", "null", `{"texts": null, "lists": 1}`} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		p := open()
		p.SetString(page.PrefTheme, "dark")
		wantEqual(t, open().String(page.PrefTheme), "dark", "after %q: theme", damaged)
	}
}
