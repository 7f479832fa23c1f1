package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"searchmcp/engine/api"
)

// style writes for a terminal with colours, or plainly.
type style struct{ on bool }

func (s style) wrap(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.wrap("1", text) }
func (s style) dim(text string) string  { return s.wrap("2", text) }
func (s style) good(text string) string { return s.wrap("32", text) }
func (s style) bad(text string) string  { return s.wrap("31", text) }

// printJSON prints one value, indented, for programs and for people who look.
func (v *invocation) printJSON(value any) error {
	e := json.NewEncoder(v.Out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func (v *invocation) printf(format string, args ...any) { fmt.Fprintf(v.Out, format, args...) }

// clean shows text from files and names without what a terminal would obey: escape sequences, control and bidirectional
// characters.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return '·'
		}
		return r
	}, text)
}

// count writes a number with separators and its noun.
func count(n int, one, many string) string {
	noun := many
	if n == 1 {
		noun = one
	}
	return thousands(n) + " " + noun
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ago writes how long ago t was, in the one unit that matters.
func ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return "never"
	case d < 10*time.Second:
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// stateWord is a state as people say it.
func stateWord(s api.State) string {
	words := map[api.State]string{
		api.StateNotIndexed: "Not indexed", api.StateIndexing: "Indexing", api.StateEmbedding: "Ready, learning meanings",
		api.StateReady: "Ready", api.StatePaused: "Paused", api.StateOffline: "Folder not available",
		api.StateDegraded: "Ready, text search only", api.StateStalled: "Ready, changes can't be indexed",
		api.StateError: "Error",
	}
	if w, ok := words[s]; ok {
		return w
	}
	return string(s)
}

func (s style) state(state api.State) string {
	switch state {
	case api.StateReady, api.StateEmbedding:
		return s.good(stateWord(state))
	case api.StateError, api.StateOffline, api.StateStalled:
		return s.bad(stateWord(state))
	}
	return stateWord(state)
}

// summary is a project in one line: «Ready · 4,812 files · updated 2 min ago».
func (s style) summary(p api.Project, now time.Time) string {
	parts := []string{s.state(p.State)}
	if p.Progress != nil && p.Progress.FilesTotal > 0 && p.State == api.StateIndexing {
		parts = append(parts, fmt.Sprintf("%s of %s", thousands(p.Progress.FilesDone),
			count(p.Progress.FilesTotal, "file", "files")))
	} else if p.State != api.StateNotIndexed {
		parts = append(parts, count(p.Files, "file", "files"))
	}
	if p.Pending > 0 {
		parts = append(parts, thousands(p.Pending)+" changed and not yet read")
	}
	if !p.LastUpdated.IsZero() {
		parts = append(parts, "updated "+ago(p.LastUpdated, now))
	}
	return strings.Join(parts, " · ")
}
