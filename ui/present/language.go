package present

import (
	"fmt"

	"searchmcp/assets/translations"
)

// Types of English texts, which are the keys of translations.
type (
	Text   = translations.Text
	Plural = translations.Plural
)

var spoken = translations.English

// Speak sets the language of all texts. It must be called before texts are shown.
func Speak(l translations.Language) { spoken = l }

// T translates t and formats it with args.
func T(t Text, args ...any) string {
	if t == "" {
		return ""
	}
	s := spoken.Text(t)
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

// Sentence translates s if it is a known sentence of the app.
func Sentence(s string) string { return translations.Sentence(spoken, s) }
