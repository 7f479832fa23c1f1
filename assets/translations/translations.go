// Package translations contains the texts of the window, the tray and the terminal in each language. A file such as
// de.json maps English texts to translations, in the format of Fyne and go-i18n. The package imports no toolkit, and
// has no goroutines and no locks.
package translations

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed *.json
var files embed.FS

// Text is an English text and the key of its translations. A translation must have the same fmt verbs in the same
// order, or with indexes such as "%[2]s".
type Text string

// Plural is a noun and the key of its plural forms: "file" has the forms "%s file" and "%s files".
type Plural string

type Language interface {
	Text(t Text) string
	// Plural returns the form of p for the number n, such as "%s files".
	Plural(p Plural, n int) string
}

type table struct {
	tag   language.Tag
	once  sync.Once
	texts map[Text]string
	forms map[Plural]map[string]string // by CLDR category, such as "one"
}

var _ Language = (*table)(nil)

// The first language is the default.
var (
	english   = embedded("en")
	languages = []*table{english, embedded("de")}
)

var English Language = english

// Codes returns the codes of all languages, such as "en". The first is the default.
func Codes() (codes []string) {
	for _, l := range languages {
		codes = append(codes, l.tag.String())
	}
	return codes
}

// For returns the best language for the user's locales, which are in BCP 47 or POSIX format, best first.
func For(locales ...string) Language {
	var wanted, spoken []language.Tag
	for _, l := range locales {
		l, _, _ = strings.Cut(l, ".") // locale may be de_DE.UTF-8
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

func embedded(name string) *table { return &table{tag: language.Make(name)} }

// read reads the table's file when it is first needed, because search-mcp must start fast. TestComplete checks that the
// files are valid.
func (t *table) read() *table {
	t.once.Do(func() {
		t.texts, t.forms = map[Text]string{}, map[Plural]map[string]string{}
		data, _ := files.ReadFile(t.tag.String() + ".json")
		var raw map[string]json.RawMessage
		_ = json.Unmarshal(data, &raw)
		for key, value := range raw {
			text, forms := "", map[string]string{}
			if json.Unmarshal(value, &text) == nil {
				t.texts[Text(key)] = text
			} else if json.Unmarshal(value, &forms) == nil {
				t.forms[Plural(key)] = forms
			}
		}
	})
	return t
}

func (t *table) Text(key Text) string {
	if s, known := t.read().texts[key]; known {
		return s
	}
	return string(key)
}

var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

func (t *table) Plural(key Plural, n int) string {
	form := formNames[plural.Cardinal.MatchPlural(t.tag, n, 0, 0, 0, 0)]
	for _, name := range []string{form, "other"} {
		if s, known := t.read().forms[key][name]; known {
			return s
		}
	}
	return "%s " + string(key)
}

// Known reports whether s has a translation.
func Known(s string) bool {
	_, known := english.read().texts[Text(s)]
	return known
}
