package engine

import "searchmcp/engine/chunk"

// Languages lists the names by which a search can be limited to a language.
func (e *Engine) Languages() []string { return chunk.Languages() }

// LanguageNamed finds the language that somebody means by a name, an extension or what it is also called.
func (e *Engine) LanguageNamed(typed string) (name string, ok bool) {
	return chunk.LanguageNamed(typed)
}
