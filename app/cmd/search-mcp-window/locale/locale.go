package locale

import (
	"os"
	"strings"
)

// language is the variable for the preferred languages. The variable LANG would also change the encoding of the
// keyboard.
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
		return nil // Fyne supports the locale C
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
