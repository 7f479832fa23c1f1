// Package translations holds what window and tray say, in each language that they speak: a file of texts by their
// English form, as Fyne and go-i18n read it. It knows neither toolkit nor page, starts nothing and has no locks: a
// Language is a table that is only read.
package translations

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed *.json
var files embed.FS

// Text is what a person reads, in English; that is also the key of its translations. It may hold verbs of package fmt,
// which a translation has in the same order or numbers.
type Text string

// Plural is a text with a form for each kind of number, named by its noun: "file" is "%s file" or "%s files".
type Plural string

// Language says texts.
type Language interface {
	Text(t Text) string
	// Plural returns the form for n, with a verb for the number as it is written.
	Plural(p Plural, n int) string
}

// Files are the tables by file name, such as de.json.
func Files() (map[string][]byte, error) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list translations: %w", err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		if all[name], err = files.ReadFile(name); err != nil {
			return nil, fmt.Errorf("read translation: %w", err)
		}
	}
	return all, nil
}

// table is a Language that was read from its file.
type table struct {
	tag    language.Tag
	texts  map[Text]string
	forms  map[Plural]map[string]string // by CLDR's name of the form
	behind *table                       // what is said where this one has no words; nil: English has all
}

var _ Language = (*table)(nil)

// The languages, English first: it is the answer where none fits.
var (
	english   = embedded("en", nil)
	languages = []*table{english, embedded("de", english)}
)

// English is the language of the keys.
var English Language = english

// For chooses a language for a person who reads the given ones, best first, as BCP 47 or POSIX name them.
func For(locales ...string) Language {
	var wanted, spoken []language.Tag
	for _, l := range locales {
		l, _, _ = strings.Cut(l, ".") // de_DE.UTF-8
		if tag, err := language.Parse(l); err == nil {
			wanted = append(wanted, tag)
		}
	}
	for _, t := range languages {
		spoken = append(spoken, t.tag)
	}
	if _, i, sure := language.NewMatcher(spoken).Match(wanted...); sure >= language.High {
		return languages[i]
	}
	return English
}

// embedded reads a table. One that can't be read, which a test excludes, leaves its language with the English words.
func embedded(name string, behind *table) *table {
	t := &table{tag: language.Make(name), texts: map[Text]string{}, forms: map[Plural]map[string]string{}, behind: behind}
	if data, err := files.ReadFile(name + ".json"); err == nil {
		_ = t.read(data) // what was read until the error counts
	}
	return t
}

func (t *table) read(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("read translation: %w", err)
	}
	for key, value := range raw {
		var text string
		if json.Unmarshal(value, &text) == nil {
			t.texts[Text(key)] = text
			continue
		}
		forms := map[string]string{}
		if err := json.Unmarshal(value, &forms); err != nil {
			return fmt.Errorf("read translation of %q: %w", key, err)
		}
		t.forms[Plural(key)] = forms
	}
	return nil
}

// Text implements Language.
func (t *table) Text(key Text) string {
	if s, known := t.texts[key]; known {
		return s
	}
	return string(key)
}

var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

// Plural implements Language.
func (t *table) Plural(key Plural, n int) string {
	form := formNames[plural.Cardinal.MatchPlural(t.tag, n, 0, 0, 0, 0)]
	for _, name := range []string{form, "other"} {
		if s, known := t.forms[key][name]; known {
			return s
		}
	}
	if t.behind != nil {
		return t.behind.Plural(key, n)
	}
	return "%s " + string(key)
}

// Known reports whether a text that comes from elsewhere, such as an error's, is one of ours and can be said in any
// language.
func Known(s string) bool {
	_, known := english.texts[Text(s)]
	return known
}
