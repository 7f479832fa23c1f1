package chunk

import (
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

type Kind string

// Kinds of definitions.
const (
	KindFunction Kind = "function"
	KindMethod   Kind = "method"
	KindType     Kind = "type"
	KindValue    Kind = "value"
	KindObject   Kind = "object" // a variable or field that is an object literal
)

// KindSection is the kind of a section of a document.
const KindSection = "section"

// Definition is a definition in a file. Line numbers begin at 1.
type Definition struct {
	Name  string
	Scope []string // names of the enclosing definitions, outermost first
	Kind  Kind
	At    int // offset of the name
	Start int // offset without preceding comments and attributes
	End   int
	Top   int // first line, including comments and attributes
	Line  int // line of Start
	Last  int
	// Member is true for a member of a type or object, such as a method.
	Member bool
	// Abstract is true for a method without a body, as in an interface.
	Abstract bool
	// Container is true for a namespace, an impl block and other definitions that only contain definitions.
	Container bool

	holder  bool // the value may be an object literal
	literal bool // member of an object literal
}

// Path returns the names of the enclosing definitions and of d.
func (d Definition) Path() []string {
	if d.Name == "" {
		return d.Scope
	}
	return append(append([]string{}, d.Scope...), d.Name)
}

// Owner returns the name of the innermost enclosing definition, or "".
func (d Definition) Owner() string {
	if len(d.Scope) == 0 {
		return ""
	}
	return d.Scope[len(d.Scope)-1]
}

// Document is a file's text with its definitions. One goroutine may use a Document, and must close it.
type Document struct {
	Text        string
	Language    string
	Root        tree.Node // nil without a syntax tree
	Definitions []Definition

	src  *source
	tree *tree.Tree
	code string // the code in an HTML or Vue file; all other text is replaced with spaces
}

// Code reports whether the text at an offset is code, not the markup of an HTML or Vue file.
func (d *Document) Code(at int) bool {
	return d.code == "" && !(d.Root == nil && Template(d.Language)) || d.code != "" && d.code[at] == d.Text[at]
}

// Decode converts a file's content to UTF-8 for the parser.
func Decode(data []byte) string {
	text, _, _ := validText(data)
	return text
}

// HasGrammar reports whether files of a language are parsed.
func HasGrammar(language string) bool {
	return lang.Of(language).Rules != nil || Template(language)
}

// Declares reports whether definitions can be found in files of a language.
func Declares(language string) bool {
	return HasGrammar(language) || lang.Of(language).ByLines() || lang.Of(language).NoNames
}

// Parseable reports whether a parser can read text. Huge and minified files are not parsed.
func Parseable(text string) bool { return len(text) <= hugeFile && !minified(sourceOf(text)) }

func (g *grammar) document(src *source, language string, made *tree.Tree) *Document {
	s, _ := g.read(src, made, true)
	if s == nil {
		made.Close()
		return Plain(language, src.text)
	}
	return &Document{Text: src.text, Language: language, Root: made.Root(), Definitions: definitionsOf(src, s.defs),
		src: src, tree: made}
}

// Unparsed returns a document without a tree or definitions.
func Unparsed(language, text string) *Document {
	return &Document{Text: text, Language: language, src: sourceOf(text)}
}

// Plain returns a document without a tree. Its definitions are found line by line.
func Plain(language, text string) *Document {
	d := Unparsed(language, text)
	src := d.src
	switch l := lang.Of(language); {
	case l.Headings != lang.NoHeadings || language == "":
	case l.ByLines() && Parseable(text):
		_, defs := byBlocks(src, l)
		d.Definitions = definitionsOf(src, defs)
	default:
		d.Definitions = definitionsOf(src, lineDefs(src, l))
	}
	return d
}

// Close frees the tree. It may be called twice.
func (d *Document) Close() {
	if d.tree != nil {
		d.tree.Close()
		d.tree, d.Root = nil, nil
	}
}

// LineAt returns the line number of an offset. Lines begin at 1.
func (d *Document) LineAt(at int) int { return d.src.lineAt(at) + 1 }

// Line returns the text of line n. Lines begin at 1.
func (d *Document) Line(n int) string {
	if n < 1 || n > d.src.lines() {
		return ""
	}
	return d.src.line(n - 1)
}

// definitionsOf converts defs, in which parents precede their members.
func definitionsOf(src *source, defs []def) []Definition {
	out := make([]Definition, 0, len(defs))
	var around []int
	for _, d := range defs {
		if d.onward { // such as "namespace a;" in PHP
			d.crumb, d.end = false, src.starts[src.lineAt(d.start)+1]
		}
		if d.end == 0 { // found without a tree
			d.start, d.end = src.starts[src.lineAt(d.at)], src.starts[min(d.last+1, src.lines())]
		}
		for len(around) > 0 && out[around[len(around)-1]].End < d.end {
			around = around[:len(around)-1]
		}
		m := Definition{Name: d.name, At: d.at, Start: d.start, End: d.end, Top: d.top + 1, Line: src.lineAt(d.start) + 1,
			Last: d.last + 1, Container: !d.symbol, holder: d.holder && !d.crumb,
			literal: lang.LiteralMember(d.node.Type())}
		// A variable is a scope only for the members of its object literal: C is not a member of x in "x = (() => {
		// class C {} })()".
		var scopes []*Definition // innermost first
		literal := m.literal
		for _, i := range slices.Backward(around) {
			if o := &out[i]; literal || !o.holder {
				scopes, literal = append(scopes, o), o.literal
			}
		}
		if len(scopes) > 0 && d.node == nil && scopes[0].Name == "constructor" {
			scopes = scopes[1:] // a constructor's parameter that is also a field
		}
		m.Member = len(d.prefix) > 0
		if len(scopes) > 0 && !m.Member && d.kind != lang.DefinesNothing { // definitions found without a tree are not members
			k := scopes[0].Kind
			m.Member = k != KindFunction && k != KindMethod && k != "namespace"
		}
		for _, o := range slices.Backward(scopes) {
			if (o.End > d.end || o.Start < d.start) && o.Name != "" {
				m.Scope = append(m.Scope, o.Name)
			}
		}
		m.Scope = append(m.Scope, d.prefix...)
		called := strings.HasPrefix(strings.TrimLeft(src.text[min(d.at+len(d.name), len(src.text)):], " \t"), "(")
		m.Kind = kindOf(d, m.Member, called)
		m.Abstract = d.kind == lang.DefinesValue && m.Kind == KindMethod
		out = append(out, m)
		if d.crumb || d.holder {
			around = append(around, len(out)-1)
		}
	}
	return out
}

func kindOf(d def, inType, called bool) Kind {
	defines := d.kind
	switch {
	case d.holds:
		defines = lang.DefinesFunction
	case defines == lang.DefinesNothing: // found without a tree
		return KindValue
	case d.object && defines != lang.DefinesFunction:
		return KindObject
	}
	return Kind(lang.KindOf(defines, d.node.Type(), inType, called))
}

const (
	maxSignature = 200
	maxComment   = 120
)

// Signature returns the beginning of a definition in one line, without its body.
func (d *Document) Signature(m Definition) string { return signatureOf(d.src, m) }

func signatureOf(src *source, m Definition) string {
	// Include the words before the definition on its line, such as modifiers.
	lead := src.text[src.starts[m.Line-1]:m.Start]
	m.Start -= len(lead) - 1 - strings.LastIndexAny(lead, "(){};,=")
	text := src.text[m.Start:min(m.End, len(src.text), m.Start+4*maxSignature)]
	depth := 0
	for i, c := range []byte(text) {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		closed := depth < 0 && (c == ')' || c == ']')
		if (closed || depth <= 0 && strings.IndexByte("{\n\r", c) >= 0) && i > m.At-m.Start {
			text = text[:i]
			break
		}
	}
	s := strings.Join(strings.Fields(text), " ")
	if !strings.HasSuffix(s, "::") {
		s = strings.TrimRight(s, " {:=")
	}
	return Shorten(s, maxSignature)
}

// Shorten cuts s to at most n bytes and appends "…".
func Shorten(s string, n int) string {
	if len(s) > n {
		return clip(s, n) + "…"
	}
	return s
}

func declsOf(src *source, defs []def) []api.Decl {
	found := definitionsOf(src, defs)
	out := make([]api.Decl, 0, len(found))
	for _, m := range found {
		out = append(out, api.Decl{Name: m.Name, Kind: string(m.Kind), Scope: m.Scope, Signature: signatureOf(src, m),
			Start: min(m.Top, m.Line), Line: m.Line, End: max(m.Line, m.Last)})
	}
	return out
}

func assignDecls(chunks []api.Chunk, decls []api.Decl) {
	for i := range chunks {
		c := &chunks[i]
		for _, d := range decls {
			if d.Start <= c.EndLine && c.StartLine <= d.End {
				c.Decls = append(c.Decls, d)
			}
		}
	}
}

// Comment returns the first sentence of m's documentation.
func (d *Document) Comment(m Definition) string {
	if m.Top < 1 || m.Top > d.src.lines() {
		return ""
	}
	from := d.src.starts[m.Top-1]
	text := d.Text[from:min(len(d.Text), max(m.Start, from)+600, max(m.End, from))]
	return Shorten(firstSentence(described(strings.ToValidUTF8(text, ""), d.Language)), maxComment)
}
