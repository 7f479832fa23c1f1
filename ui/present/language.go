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

// spoken is the language of the texts.
var spoken = translations.English

// Speak sets the language. It must be called before any text is shown.
func Speak(l translations.Language) { spoken = l }

// T translates a text, with args for its verbs.
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

// Sentence translates a sentence of the app, if it is known.
func Sentence(s string) string { return translations.Sentence(spoken, s) }
