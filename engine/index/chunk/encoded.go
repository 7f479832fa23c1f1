package chunk

import (
	"context"
	"fmt"

	"searchmcp/engine/lang/tree"
)

// Tree returns a file's syntax tree, encoded for Document. It returns nil if the file has no code or the parser's time
// limit expired.
func (t *Trees) Tree(ctx context.Context, f File) ([]byte, error) {
	_, made, err := t.parsed(ctx, f)
	if made == nil {
		return nil, err
	}
	defer made.Close()
	b, _ := tree.Encode(made) // nil if the tree can't be encoded
	return b, nil
}

// Document creates a document from a file and the result of Tree. Without a tree, definitions are found line by line.
func (t *Trees) Document(f File, encoded []byte) (*Document, error) {
	language, code, _ := f.code()
	if len(encoded) == 0 {
		return Plain(f.Language, f.Text), nil
	}
	g, err := grammarOf(language)
	if err != nil {
		return nil, err
	}
	made, err := tree.Decode(g.names, encoded, len(f.Text))
	if err != nil {
		return nil, fmt.Errorf("read syntax tree: %w", err)
	}
	d := g.document(sourceOf(f.Text), language, made)
	if d.Root != nil && language != f.Language {
		d.code = code
		for _, m := range Plain(f.Language, f.Text).Definitions { // definitions in the markup
			if !d.Code(m.At) {
				d.Definitions = append(d.Definitions, m)
			}
		}
	}
	return d, nil
}
