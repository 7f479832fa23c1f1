package term

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// lexerFiles are chroma's lexers of the languages that people mostly have; TestLexers writes them. The package that has
// all of them reads 280 files before main begins and is 7 MB, which every start of a bridge would pay for.
//
//go:embed lexers/*.xml
var lexerFiles embed.FS

// lexers reads them when the first text is coloured.
var lexers = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	names, err := fs.Glob(lexerFiles, "lexers/*.xml")
	if err != nil {
		panic(err) // of the pattern
	}
	for _, name := range names {
		all.Register(chroma.MustNewXMLLexer(lexerFiles, name)) // a file that can't be read fails TestLexers
	}
	return all
})

// tokens is a text by the syntax of the language that a file's name tells, nil where it tells none. Lexers are patterns
// that may panic over text that is cut out of a file: colour is nothing to fail for.
func tokens(path, text string) (list []chroma.Token) {
	defer func() {
		if recover() != nil {
			list = nil
		}
	}()
	lexer := lexers().Match(path)
	if lexer == nil {
		return nil
	}
	it, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return nil
	}
	return it.Tokens()
}
