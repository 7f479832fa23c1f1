package present

import (
	"fmt"

	"searchmcp/assets/translations"
)

type (
	Text   = translations.Text
	Plural = translations.Plural
)

var spoken = translations.English

// Speak sets the language of all texts. It must be called before texts are shown.
func Speak(l translations.Language) { spoken = l }

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

func Sentence(s string) string { return translations.Sentence(spoken, s) }
