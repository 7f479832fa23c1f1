//go:build unix

package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// atTerminal runs search-mcp at a terminal of the given size and returns its output.
func atTerminal(t *testing.T, columns, rows uint16, env []string, args ...string) string {
	t.Helper()
	program, _, base := programs(t)
	cmd := exec.Command(program, args...)
	cmd.Env = append(append(base, "TERM=xterm-256color", "NO_COLOR=", "PAGER=cat"), env...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	check(t, err)
	defer terminal.Close()
	out, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // Linux returns EIO for a closed terminal
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestTerminal(t *testing.T) {
	ask := []string{"search", "return", "a", "token"}
	t.Run("colour", func(t *testing.T) {
		out := atTerminal(t, 80, 40, nil, ask...)
		for _, want := range []string{
			"\x1b[1;35mcode.go\x1b[0m\x1b[1m:52\x1b[0m  auth", // the path with its last element emphasized
			"\x1b[1;31mreturn\x1b[0m \x1b[1;31mtoken\x1b[0m",  // the query's terms
			"\x1b[1m  52\x1b[0m",                              // the best line's number
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%q", want, out)
			}
		}
		plain := escapes.ReplaceAllString(out, "")
		if want := "\n    45  func login() {\n…   52      return token\n    53  }\n"; !strings.Contains(plain, want) {
			t.Errorf("got\n%s", plain)
		}
	})
	t.Run("no colour", func(t *testing.T) {
		for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
			if out := atTerminal(t, 80, 40, []string{env}, ask...); strings.Contains(out, "\x1b") ||
				!strings.Contains(out, "   45  func") {
				t.Errorf("%s: %q", env, out)
			}
		}
		if out := atTerminal(t, 80, 40, nil, append(ask, "--color", "never")...); strings.Contains(out, "\x1b") {
			t.Errorf("--color never: %q", out)
		}
	})
	t.Run("pager", func(t *testing.T) {
		dir := t.TempDir()
		// The pager prints its input. Its name has an argument, as in users' settings.
		script := "#!/bin/sh\necho \"paged with $1, LESS=$LESS\"; wc -l\n"
		pager := filepath.Join(dir, "pager")
		check(t, os.WriteFile(pager, []byte(script), 0o700))
		env := []string{"PAGER=" + pager + " -x"}
		out := atTerminal(t, 80, 5, append(env, "LESS=-i"), ask...)
		if !strings.Contains(out, "paged with -x, LESS=-i") || strings.Contains(out, "func login") {
			t.Errorf("long: %q", out)
		}
		if out := atTerminal(t, 80, 40, env, ask...); strings.Contains(out, "paged") {
			t.Errorf("short: %q", out)
		}
		if out := atTerminal(t, 80, 5, env, append(ask, "--no-pager")...); strings.Contains(out, "paged") {
			t.Errorf("--no-pager: %q", out)
		}
		if out := atTerminal(t, 80, 5, []string{"PAGER=" + filepath.Join(dir, "none")},
			ask...); !strings.Contains(out, "login") {
			t.Errorf("a pager that is not there: %q", out)
		}
	})
	t.Run("code and documents", func(t *testing.T) {
		for query, want := range map[string]string{
			"weak":   "^No confident match. Closest:\n\n/demo/a.go:1\n\n/demo/b.go:1\n",
			"fading": "^/demo/a.go:1\n\nWeaker results:\n\n/demo/b.go:1\n",
			"vague": "^Code has only weak matches; --code lists them.\n\n/demo/a.go:1\n\n/demo/b.go:1\n" +
				"\nDocuments\n\n/demo/CHANGELOG.md:1\n\n/demo/guide.md:1\n$",
			"x": "/demo/src/code.go:52 auth \\(.*\n(.*\n)*\n1 of 12 results. More with -n.\n" +
				"\nDocuments\n\n/demo/src/docs.go:52",
			"rye flour": "^Documents\n\n/demo/src/docs.go:52",
		} {
			out := escapes.ReplaceAllString(atTerminal(t, 80, 40, nil, "search", query, "--project", "/demo"), "")
			if out = strings.ReplaceAll(out, "  ", " "); !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%s: got\n%s", query, out)
			}
		}
	})
	t.Run("documents", func(t *testing.T) {
		out := escapes.ReplaceAllString(atTerminal(t, 80, 40, nil, "documents", "search", "--docs", "/", "words"), "")
		if want := "/a.md  A › Of it\n      {words both 10 []} ·[31m of it\n\n" +
			"1 of 5 documents. More with --limit.\n"; out != want {
			t.Errorf("got\n%s", out)
		}
	})
	t.Run("prose", func(t *testing.T) {
		for _, args := range [][]string{{"--help"}, {"search", "--help"}, {"uses", "--help"}, {"connect", "--help"},
			{"status"}, {"doctor"}} {
			out := escapes.ReplaceAllString(atTerminal(t, 60, 40, nil, args...), "")
			for line := range strings.Lines(out) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
					t.Errorf("%v: %d columns: %q", args, n, line)
				}
			}
		}
		if out := strings.ReplaceAll(atTerminal(t, 60, 40, nil, "uses", "--help"), "\r", ""); !strings.Contains(out,
			"only definitions in this file,\n"+
				strings.Repeat(" ", 30)+"at FILE:LINE") {
			t.Errorf("options are not below their text:\n%s", out)
		}
	})
}
