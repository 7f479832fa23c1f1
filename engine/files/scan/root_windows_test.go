package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

func TestSpellings(t *testing.T) {
	base, err := CanonicalRoot(t.TempDir())
	must(t, err)
	want := filepath.Join(base, "My Shop with a long name")
	must(t, os.Mkdir(want, 0o700))
	name, err := windows.UTF16PtrFromString(want)
	must(t, err)
	short := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(name, &short[0], uint32(len(short)))
	must(t, err)
	for _, dir := range []string{
		want, strings.ToLower(want), strings.ToUpper(want), filepath.ToSlash(want), want + `\`,
		want + `\.\..\` + filepath.Base(want), `\\?\` + want, `\\?\` + strings.ToLower(want), windows.UTF16ToString(short[:n]),
	} {
		if got, err := CanonicalRoot(dir); err != nil || got != want || ProjectID(got) != ProjectID(want) {
			t.Errorf("%s: %s, %v", dir, got, err)
		}
	}
}
