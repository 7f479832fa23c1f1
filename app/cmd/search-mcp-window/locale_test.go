package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLocale: Fyne finds a language in every environment. It looks before tests run, so the test starts another
// process.
func TestLocale(t *testing.T) {
	program, err := os.Executable()
	must(t, err)
	for _, lang := range []string{"C.UTF-8", "C", "POSIX", "de_DE.UTF-8"} {
		cmd := exec.Command(program, "-test.run=^$")
		cmd.Env = append(os.Environ(), "LC_ALL=", "LC_MESSAGES=", "LANGUAGE=", "LANG="+lang)
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "Fyne error") {
			t.Errorf("%s: %v\n%s", lang, err, out)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }
