package chunk

import "searchmcp/engine/lang"

// headSize is the number of bytes from which a file's language is detected.
const headSize = 4 << 10

// Language is lang.OfFile.
func Language(name string, head []byte) string { return lang.OfFile(name, head) }

// Languages is lang.Names.
func Languages() []string { return lang.Names() }

// LanguageNamed is lang.Find.
func LanguageNamed(typed string) (name string, ok bool) { return lang.Find(typed) }
