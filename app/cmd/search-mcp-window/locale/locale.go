package locale

import (
	"os"
	"strings"
)

// language is gettext's list of languages. The C library's own locale, and with it the encoding of the keyboard, does
// not depend on it, so it is the one to change.
const language = "LANGUAGE"

// Child is what a child's environment needs in addition so that it sees the person's.
var Child = settle()

func settle() (child []string) {
	before := os.Getenv(language)
	name := ""
	for _, key := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if name = os.Getenv(key); name != "" {
			break
		}
	}
	if isC(name) && !strings.Contains(name, ".") {
		return nil // which Fyne knows
	}
	if before != "" {
		name = before
	}
	if !isC(name) || os.Setenv(language, "en") != nil { // then Fyne complains, and goes on
		return nil
	}
	return []string{language + "=" + before}
}

// isC reports whether a locale is the C one, in whatever encoding.
func isC(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	return name == "C" || name == "POSIX"
}
