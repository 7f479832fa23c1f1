package chunk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

const (
	// hugeFile is the maximum size of a parser's input in bytes. A tree takes about 30 times as much memory as its text.
	hugeFile = 512 << 10
	// maxBroken is the maximum fraction of bytes with syntax errors in a usable tree.
	maxBroken = 0.5
)

// Syntax cuts files along their syntax trees, in this process (Trees) or another.
type Syntax interface {
	// Cut cuts a file. If the file can't be parsed, Cut.Reason explains why. An error means that no parser was started.
	Cut(ctx context.Context, f File) (Cut, error)
}

// File is the input of Syntax.
type File struct {
	Language string
	Hash     string // of the content, by which contents that crash a parser are recognized
	Text     string // valid UTF-8 without NUL, at most hugeFile bytes
}

// Cut is a file cut along its syntax tree.
type Cut struct {
	Pieces []Piece    // in order; empty if the file was not cut
	Decls  []api.Decl // outer declarations first
	Errors bool       // see Info
	Reason Reason     // why the file was not cut, or ReasonNone
}

// Piece is a range of a file that becomes a chunk.
type Piece struct {
	Start, End int
	Breadcrumb []string
	Symbols    []string
}

func pieceOf(sp span) Piece { return Piece{Start: sp.start, End: sp.end} }

func (p Piece) span() span { return span{p.Start, p.End} }

// Trees implements Syntax with parsers in this process. It is safe for concurrent use.
type Trees struct{ parse tree.Parse }

// NewTrees returns Trees that use parse. If parse is nil, only Document works.
func NewTrees(parse tree.Parse) *Trees { return &Trees{parse} }

func (t *Trees) Cut(ctx context.Context, f File) (Cut, error) {
	g, made, err := t.parsed(ctx, f)
	if err != nil {
		return Cut{}, err
	}
	if made == nil {
		return Cut{Reason: ReasonTimeout}, nil
	}
	defer made.Close()
	src := sourceOf(f.Text)
	s, root := g.read(src, made, false)
	cut := Cut{Errors: made.Root().HasError(), Reason: ReasonBroken}
	if s != nil {
		cut.Reason, cut.Pieces, cut.Decls = ReasonNone, pack(src, root, s.kids, s.defs), declsOf(src, s.defs)
	}
	return cut, nil
}

// parsed returns the tree of a file's code. It is nil if the file has no code or the parser's time limit expired.
func (t *Trees) parsed(ctx context.Context, f File) (*grammar, *tree.Tree, error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	language, text, ok := f.code()
	if !ok && HasGrammar(f.Language) {
		return nil, nil, nil
	}
	g, err := grammarOf(language)
	if err != nil {
		return nil, nil, err
	}
	made, err := g.parse(t.parse, text)
	if err != nil {
		return g, nil, nil
	}
	return g, made, nil
}

// syntax converts a file's tree to items.
type syntax struct {
	lang.Reading
	src  *source
	g    *grammar
	defs []def
}

// read finds the definitions in a tree. It returns nil if most of the file has errors.
func (g *grammar) read(src *source, made *tree.Tree, document bool) (*syntax, *item) {
	top := made.Root()
	s := &syntax{Reading: lang.Reading{Text: src.text, Document: document}, src: src, g: g}
	root := &item{span: span{0, len(src.text)}, last: max(src.lines()-1, 0), node: top, named: true}
	if top.HasError() && s.broken(root) {
		return nil, nil
	}
	s.walk(root, walkPosition{})
	s.defs = (&blocks{src: src, l: g.Language}).withMembers(s.defs, top)
	return s, root
}

// broken reports whether most of a file could not be parsed.
func (s *syntax) broken(root *item) bool {
	tops := s.kids(root)
	if root.node.IsError() {
		tops = []*item{root}
	}
	bad := 0
	for _, k := range tops {
		if k != root && k.rule != &lang.InError {
			continue
		}
		bad += k.end - k.start
		for _, in := range s.kids(k) {
			if in.rule != nil && in.rule != &lang.InError {
				bad -= in.end - in.start
			}
		}
	}
	return float64(bad) > maxBroken*float64(len(strings.TrimSpace(s.src.text)))
}

func (s *syntax) kids(it *item) []*item {
	if it.expanded {
		return it.kids
	}
	it.expanded = true
	var before *item
	ended := -1 // last line of the previous code
	for n := it.node.FirstChild(); n != nil; n = n.NextSibling() {
		if k := s.item(n); k != nil {
			if before != nil && before.leads(k.first) &&
				strings.TrimSpace(s.src.text[before.end:k.start]) == "" { // trees lack the colon after "public"
				k.top = before.top
			}
			before = nil
			switch {
			case k.role != lang.RoleComment && k.role != lang.RoleAttribute:
				ended = k.last
			case k.role == lang.RoleAttribute || k.first > ended: // a trailing comment describes its own line
				before = k
			}
			it.kids = append(it.kids, k)
		}
	}
	return it.kids
}

// item returns a node's item, or nil if the node has no text.
func (s *syntax) item(n tree.Node) *item {
	start, end := int(n.StartByte()), int(n.EndByte())
	text := s.src.text[start:end]
	start += len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	end = start + len(strings.TrimRight(s.src.text[start:end], " \t\r\n"))
	if start >= end {
		return nil
	}
	k := &item{span: span{start, end}, node: n, named: true}
	if sym := n.Symbol(); sym < len(s.g.symbols) {
		entry := s.g.symbols[sym]
		k.rule, k.named, k.leaf = entry.rule, entry.named, entry.leaf
	} else {
		k.rule = &lang.InError // a syntax error has no symbol in the grammar
	}
	if k.rule != nil {
		k.role, k.wrapper = k.rule.Role, k.rule.Wrapper
		if k.rule.RoleOf != nil {
			k.role = k.rule.RoleOf(&s.Reading, n)
		}
	}
	k.first, k.last = s.src.lineAt(start), s.src.lineAt(end-1)
	k.top = k.first
	return k
}

type walkPosition struct {
	depth, defs int
	local       bool // inside a function
	lead        int  // first line of the enclosing decorator or modifier
	wrapped     bool
}

func (s *syntax) walk(it *item, at walkPosition) int {
	if at.depth > lang.MaxDepth {
		return 0
	}
	found := 0
	for _, k := range s.kids(it) {
		if k.rule == nil {
			continue
		}
		switch {
		case at.wrapped:
			k.top = min(k.top, at.lead)
		case k.first == it.first && it.rule != nil && it.rule.Names == nil:
			// A comment above "export" or Go's "type" belongs to the definition.
			k.top = min(k.top, it.top)
		}
		found += s.visit(k, at)
	}
	return found
}

func (s *syntax) visit(k *item, at walkPosition) int {
	r := k.rule
	inner := walkPosition{depth: at.depth + 1, defs: at.defs, local: at.local, lead: k.top, wrapped: r.Wrapper}
	var names []lang.Ident
	if r.Names != nil && !(at.local && r.Defines == lang.DefinesValue) {
		names = r.Names(&s.Reading, k.node)
	}
	found := len(names)
	for _, n := range names {
		d := def{name: lang.CleanName(n.Name), prefix: n.Prefix, top: k.top, last: k.last,
			at:     n.At + len(n.Name) - len(strings.TrimLeft(n.Name, "`")),
			crumb:  (r.Defines != lang.DefinesValue || n.Function) && !n.Placeless && !n.Silent,
			symbol: !n.Elsewhere && !n.Silent, depth: at.defs, onward: n.Onward, span: k.span, kind: r.Defines, node: k.node,
			holds: n.Function, holder: n.Holder || n.Silent, object: n.Object}
		if n.Silent {
			d.kind = lang.DefinesValue
			found--
		}
		if n.Silent && !s.Document || !n.Silent && (d.name == "" || slices.Contains(s.g.Reserved, d.name)) {
			continue
		}
		s.defs = append(s.defs, d)
		if d.crumb && !n.Onward {
			inner.defs = at.defs + 1
		}
		inner.local = inner.local || n.Function || r.Defines == lang.DefinesFunction && !n.Silent
	}
	if !r.Inside || r.Multiline && k.first == k.last && !s.Document {
		return found
	}
	members := s.walk(k, inner)
	k.list = members > 1
	k.container = k.list && r.Defines != lang.DefinesFunction &&
		!(len(names) == 1 && names[0].Function)
	return found + members
}

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
