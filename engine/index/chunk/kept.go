package chunk

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/lang/tree"
)

// Tree parses a file and returns its tree as bytes for Document; nil if the parser needed too long.
func (t *Trees) Tree(ctx context.Context, f File) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	language, text, ok := f.code()
	if !ok && HasGrammar(f.Language) {
		return nil, nil // a page without scripts
	}
	g, err := t.grammar(language)
	if err != nil {
		return nil, err
	}
	made, err := g.parse(text)
	if err != nil {
		return nil, nil
	}
	defer made.Close()
	b, _ := tree.Encode(made) // nil for a tree that can't be written
	return b, nil
}

// Document reads a file with the bytes that Tree or Cut made of the same text; without any, definitions come from
// lines. An error says that they are of another text, or damaged.
func (t *Trees) Document(f File, encoded []byte) (*Document, error) {
	language, code, _ := f.code()
	if len(encoded) == 0 {
		return Plain(f.Language, f.Text), nil
	}
	g, err := t.grammar(language)
	if err != nil {
		return nil, err
	}
	made, err := tree.Decode(g.native.Names(), encoded, len(f.Text))
	if err != nil {
		return nil, fmt.Errorf("read syntax tree: %w", err)
	}
	d := g.document(sourceOf(f.Text), language, made)
	if d.Root != nil && language != f.Language {
		d.code = code
		for _, m := range Plain(f.Language, f.Text).Definitions { // what the page itself declares
			if !d.Code(m.At) {
				d.Definitions = append(d.Definitions, m)
			}
		}
	}
	return d, nil
}

// unparsed stands for a parser where there is none.
func unparsed(language string) tree.Language {
	if names := tree.NamesOf(language); names != nil {
		return onlyNames{names}
	}
	return nil
}

type onlyNames struct{ names *tree.Names }

func (n onlyNames) Names() *tree.Names { return n.names }

func (onlyNames) Parse(string) (*tree.Tree, error) {
	return nil, errors.New("parse: no parsers in this process")
}
