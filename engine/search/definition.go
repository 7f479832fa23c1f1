package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// typeKeywords are the words before the name of a type, in the languages that chunks are cut in and a few more.
var typeKeywords = strings.Fields(
	"class struct interface trait protocol enum union type typealias actor record object " +
		"module namespace defmodule defprotocol concept mixin contract message service newtype data table view")

// companionKeywords are those of a type that may stand beside a class of its name: a Scala object, a TypeScript
// namespace.
var companionKeywords = []string{"object", "module", "namespace"}

// definesType reports whether a text defines a type of that name: a keyword stands before it, or a typedef ends in it.
// A forward declaration, an impl block and an extension don't define. It is a companion where no other keyword does.
func definesType(text, language, name string) (defined, companion bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return defined, defined
		}
		at := from + i
		from = at + len(name)
		line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
		rest, _, _ := strings.Cut(text[from:], "\n")
		if startsName(rest) || endsName(line) || !namesType(line, rest, language) {
			continue
		}
		if words := strings.Fields(line); len(words) == 0 || !slices.Contains(companionKeywords, words[len(words)-1]) {
			return true, false
		}
		defined = true
	}
}

// startsName reports whether a text begins in the middle of a name.
func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && isNamePart(r)
}

// endsName reports whether a text ends in the middle of a name.
func endsName(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && isNamePart(r)
}

// namesType judges a name by what stands before and after it on its line.
func namesType(before, after, language string) bool {
	head := strings.TrimSpace(before)
	isC := language == "c" || language == "cpp" || language == "objc"
	after = strings.TrimSpace(after)
	switch {
	case strings.HasPrefix(head, "//"), strings.HasPrefix(head, "*"), strings.HasPrefix(head, "/*"),
		strings.HasPrefix(head, "#"), strings.HasPrefix(head, "--"), strings.HasPrefix(head, `"`):
		return false
	case language == "rust" && head == "type" && strings.TrimLeft(before, " \t") != before:
		return false // an associated type: the impl block or trait around it is of another name
	case language == "go" && head == "":
		// one of "type ( … )"
		word, _, _ := strings.Cut(after, " ")
		return word == "struct" || word == "interface"
	case isC && strings.HasPrefix(head, "typedef"):
		if words := strings.Fields(head); len(words) == 2 || len(words) == 3 && slices.Contains(typeKeywords, words[1]) {
			// "typedef struct X {" defines, "typedef struct X X;" does not.
			return after == "" || after[0] == '{' || len(words) == 2 && strings.HasPrefix(after, ";")
		}
		return strings.HasPrefix(after, ";") || strings.HasPrefix(after, ")")
	case isC && head == "}":
		return strings.HasPrefix(after, ";") // the end of "typedef struct {"
	}
	head = strings.TrimRight(head, ".:") // the qualifiers of "defmodule A.B.Name"
	words := strings.Fields(head)
	for len(words) > 0 && isMacro(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) > 1 && !slices.Contains(typeKeywords, words[len(words)-1]) && strings.TrimSpace(before) != head {
		words = words[:len(words)-1] // the qualifier itself
	}
	if len(words) == 0 || !slices.Contains(typeKeywords, words[len(words)-1]) {
		return false
	}
	return !isC || after == "" || strings.ContainsAny(after[:1], "{:<") || strings.HasPrefix(after, "final")
}

// isMacro reports whether a word between a keyword and a name is a macro or an attribute: "class API_EXPORT Name".
func isMacro(word string) bool {
	return strings.ContainsAny(word, "_()[]") && word == strings.ToUpper(word)
}
