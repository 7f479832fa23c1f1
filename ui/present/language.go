package present

import (
	"fmt"

	"searchmcp/assets/translations"
)

// Texts for a person in English, which are the keys of their translations.
type (
	Text   = translations.Text
	Plural = translations.Plural
)

// spoken is the language of all that this package says.
var spoken = translations.English

// Speak sets the language of all that is said from then on. It is called before anything is shown.
func Speak(l translations.Language) { spoken = l }

// T says a text, with args for its verbs.
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

// Said says a sentence that comes from the app in the person's language, as far as it is one of those that are known.
func Said(s string) string { return translations.Said(spoken, s) }
