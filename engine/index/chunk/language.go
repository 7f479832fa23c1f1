package chunk

import "searchmcp/engine/lang"

// Language returns the language of a file; see lang.OfFile.
func Language(name string, head []byte) string { return lang.OfFile(name, head) }

// Languages returns the names of all languages; see lang.Names.
func Languages() []string { return lang.Names() }

// LanguageNamed returns the language that a user typed; see lang.Find.
func LanguageNamed(typed string) (name string, ok bool) { return lang.Find(typed) }
