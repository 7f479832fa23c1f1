package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
	"searchmcp/engine/api"
)

// printJSON prints value as JSON, with an empty list as [] instead of null.
func (v *invocation) printJSON(value any) error {
	if r := reflect.ValueOf(value); r.IsValid() {
		copied := reflect.New(r.Type()).Elem()
		copied.Set(r)
		fillLists(copied)
		value = copied.Interface()
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if _, err := v.Out.Write(term.Escaped(text.Bytes())); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillLists(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 { // json.RawMessage is a []byte, and stays nil
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillLists(v.Index(i))
		}
	}
}

func (v *invocation) printf(format string, args ...any) {
	fmt.Fprint(v.Out, term.Wrap(fmt.Sprintf(format, args...), v.screen.Width))
}

func (v *invocation) paged(print func()) error {
	out := v.Out
	var text bytes.Buffer
	v.Out = &text
	print()
	v.Out = out
	if v.noPager || v.asJSON {
		_, err := out.Write(text.Bytes())
		return err
	}
	return v.screen.Page(out, text.Bytes())
}

// note prints a note below the results, or to stderr if stdout is not a terminal.
func (v *invocation) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if v.screen.Interactive {
		v.printf("%s\n", v.style.Dim(text))
		return
	}
	fmt.Fprintln(v.Err, text)
}

// heading returns the line above an excerpt, such as "main.go:12", with a dimmed note.
func (v *invocation) heading(path string, line int, note string) string {
	return fmt.Sprintf("%s%s  %s\n", v.style.Path(clean(path)), v.style.Bold(fmt.Sprintf(":%d", line)),
		v.style.Dim(clean(note)))
}

func (v *invocation) notes(label string, all []string) {
	for _, n := range all {
		v.note("%s%s", label, clean(n))
	}
}

func clean(text string) string { return term.Clean(text) }

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return api.Thousands(n) + " " + noun
}

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

func state(s term.Style, p api.Project) string {
	switch {
	case p.NeedsAttention():
		return s.Warning(p.Term())
	case p.State == api.StateReady:
		return s.Good(p.Term())
	}
	return p.Term()
}

func summary(s term.Style, p api.Project, now time.Time) string {
	parts := []string{state(s, p)}
	if p.State != api.StateNotIndexed {
		parts = append(parts, count(p.Files, "file"))
	}
	if p.Pending > 0 {
		parts = append(parts, api.Thousands(p.Pending)+" changed and not yet read")
	}
	if !p.LastUpdated.IsZero() {
		parts = append(parts, "updated "+ago(p.LastUpdated, now))
	}
	return strings.Join(parts, " · ")
}

type found struct {
	address string
	title   string
	texts   []string
}

func (v *invocation) lineOf(text string, words highlight.Terms) string {
	return v.screen.Marked(term.OneLine(paragraph(text)), words)
}

func under(title, section string) string {
	if section == "" {
		return title
	}
	return title + " › " + section
}

// printFound prints the shown results. total also counts the results that are not shown.
func (v *invocation) printFound(shown []found, total int, noun string) {
	for i, f := range shown {
		address := v.style.Path(term.OneLine(f.address))
		if !v.screen.Interactive {
			text := term.OneLine(f.title)
			if len(f.texts) > 0 {
				text = strings.Join(f.texts, " … ")
			}
			v.printf("%s:%s\n", address, text)
			continue
		}
		if i > 0 {
			v.printf("\n")
		}
		v.printf("%s\n", strings.TrimRight(address+"  "+term.OneLine(f.title), " "))
		for _, text := range f.texts {
			v.printf("      %s\n", text)
		}
	}
	switch {
	case len(shown) == 0:
		v.note("Nothing found.")
	case v.screen.Interactive:
		v.printf("\n")
	}
	if total > len(shown) {
		v.note("%d of %s. More with --limit.", len(shown), count(total, noun))
	}
}
