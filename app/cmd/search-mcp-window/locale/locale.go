package locale

import (
	"os"
	"strings"
)

// language is gettext's variable for the preferred languages. Unlike LANG, it does not change the C library's locale,
// on which the keyboard's encoding depends.
const language = "LANGUAGE"

// Child lists the variables that restore the user's environment for a child process.
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
		return nil // Fyne supports C without an encoding
	}
	if before != "" {
		name = before
	}
	if !isC(name) || os.Setenv(language, "en") != nil {
		return nil
	}
	return []string{language + "=" + before}
}

func isC(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	return name == "C" || name == "POSIX"
}
