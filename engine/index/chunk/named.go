package chunk

import (
	"slices"
	"strings"
)

// LanguageNamed finds the language that somebody means: by the name that Language gives, by an extension, or by what it
// is also called. name is what was typed, in lower case, where ok is false.
func LanguageNamed(typed string) (name string, ok bool) {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(typed), "."))
	if slices.Contains(Languages(), name) {
		return name, true
	}
	for _, known := range []map[string]string{alsoCalled, byExtension, interpreters} {
		if l, found := known[name]; found {
			return l, true
		}
	}
	return name, false
}

// alsoCalled holds names that are no extension.
var alsoCalled = index(map[string]string{
	"assembly":    "assembler",
	"bash":        "shell shellscript",
	"commonlisp":  "common-lisp",
	"csharp":      "c# dotnet",
	"dockerfile":  "docker",
	"fsharp":      "f#",
	"go":          "golang",
	"hcl":         "terraform",
	"objective-c": "objc objectivec",
	"protobuf":    "protocol-buffers",
	"vim":         "viml vimscript",
})
