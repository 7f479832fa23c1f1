package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/ipc"
	"searchmcp/assets/translations"
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

// language is the user's language. JSON is English.
var language = translations.English

func say(format translations.Text, args ...any) string {
	if language != translations.English {
		format = translations.Text(language.Text(format))
	}
	return fmt.Sprintf(string(format), args...)
}

// sentence translates a sentence of the app, with its numbers and sizes.
func sentence(s string) string {
	s = thousand.ReplaceAllString(translations.Sentence(language, s), "${1}"+say(",")+"${2}")
	return clean(decimal.ReplaceAllString(s, "${1}"+say(".")+"${2}"))
}

var (
	thousand = regexp.MustCompile(`(\d),(\d{3})\b`)
	decimal  = regexp.MustCompile(`(\d)\.(\d+ ?[KMG]B)`)
)

func chooseLanguage() {
	var saved struct{ Language string }
	if dir, err := ipc.DataDir(); err == nil {
		if data, err := os.ReadFile(filepath.Join(dir, "settings.json")); err == nil {
			_ = json.Unmarshal(data, &saved) // an invalid file has no language
		}
	}
	language = translations.For(cmp.Or(saved.Language, os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")))
}

// note prints a note below the results, or to stderr if stdout is not a terminal.
func (v *invocation) note(format translations.Text, args ...any) {
	v.noteText(say(format, args...))
}

func (v *invocation) noteText(text string) {
	if v.screen.Interactive {
		v.printf("%s\n", v.style.Dim(text))
		return
	}
	fmt.Fprintln(v.Err, text)
}

func (v *invocation) heading(path string, line int, note string) string {
	return fmt.Sprintf("%s%s  %s\n", v.style.Path(clean(path)), v.style.Bold(fmt.Sprintf(":%d", line)),
		v.style.Dim(clean(note)))
}

func (v *invocation) notes(label string, all []string) {
	for _, n := range all {
		v.noteText(label + sentence(n))
	}
}

func clean(text string) string { return term.Clean(text) }

func date(t time.Time) string { return t.Local().Format(say("2006-01-02 15:04")) }

func many(n int, noun translations.Plural) string {
	return fmt.Sprintf(language.Plural(noun, n), thousands(n))
}

func thousands(n int) string { return strings.ReplaceAll(api.Thousands(n), ",", say(",")) }

func ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return say("never")
	case d < 10*time.Second:
		return say("just now")
	case d < time.Minute:
		return say("%s s ago", strconv.Itoa(int(d.Seconds())))
	case d < time.Hour:
		return say("%s min ago", strconv.Itoa(int(d.Minutes())))
	case d < 48*time.Hour:
		return say("%s h ago", strconv.Itoa(int(d.Hours())))
	}
	return say("%s days ago", strconv.Itoa(int(d.Hours()/24)))
}

func state(s term.Style, p api.Project) string {
	switch {
	case p.NeedsAttention():
		return s.Warning(sentence(p.Term()))
	case p.State == api.StateReady:
		return s.Good(sentence(p.Term()))
	case p.State == api.StateIndexing, p.State == api.StateEmbedding && p.Waiting == "":
		return s.Busy(sentence(p.Term()))
	}
	return sentence(p.Term())
}

func summary(s term.Style, p api.Project, now time.Time) string {
	parts := []string{state(s, p)}
	if p.State != api.StateNotIndexed {
		parts = append(parts, many(p.Files, "file"))
	}
	if p.Pending > 0 {
		parts = append(parts, say("%s changed and not yet read", thousands(p.Pending)))
	}
	if !p.LastUpdated.IsZero() {
		parts = append(parts, say("updated %s", ago(p.LastUpdated, now)))
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
func (v *invocation) printFound(shown []found, total int, noun translations.Plural) {
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
	if len(shown) == 0 {
		v.note("Nothing found.")
	}
	if total > len(shown) {
		if v.screen.Interactive {
			v.printf("\n")
		}
		v.note("%d of %s. More with --limit.", len(shown), many(total, noun))
	}
}
