package chunk

import (
	"slices"
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// kind is what an item defines.
type kind uint8

const (
	kindNone     kind = iota
	kindScope         // a class, module, namespace: holds members
	kindFunction      // holds statements
	kindValue         // a constant, variable, field, alias: a symbol, no place to stand in
)

// naming gives the names that a node defines.
type naming func(*syntax, *item) []ident

// rule says what one type of node means to a chunk.
type rule struct {
	kind    kind
	role    role
	roleOf  func(*syntax, *item) role // overrides role where the type of the node does not tell
	names   naming
	inside  bool // definitions may stand inside
	wrapper bool // see item.wrapper
	// multiline says that inside counts only for nodes of several lines, which keeps walks out of plain expressions.
	multiline bool
	// literal says that multiline does not count where object literals are looked for.
	literal bool
}

// ident is one name that a node defines.
type ident struct {
	name      string
	at        int
	prefix    []string
	function  bool // a variable whose value is a function
	placeless bool // another name of what an ident before it names: a symbol only
	elsewhere bool // a place to stand in, defined elsewhere: an impl block, an extension
	onward    bool // a place for all that follows in the file: a package, a namespace without braces

	// Of documents only; chunks know nothing of them.
	silent bool // a place that only members of an object literal stand in, perhaps without a name
	holder bool // its value may be or hold an object literal
	object bool // its value is an object literal, and no type is written for it
}

// rules maps types of nodes, several to a key where they mean the same.
type rules map[string]rule

// grammar is one language's parser and rules.
type grammar struct {
	native tree.Language
	// prepare gives the parser another text of the same length, without what its grammar can't know; nil: the file's own.
	prepare func(string) string
	// retry gives further texts of the same length, tried one after the other where the grammar leaves something unread,
	// and how much of the code each leaves out.
	retry   []func(string) (string, int)
	symbols []symbolEntry // by the parser's number for a type of node
	unknown []string      // types that rules name and the parser does not have
}

type symbolEntry struct {
	rule  *rule
	named bool
	leaf  bool // text without structure, whatever the grammar makes of its parts
}

// newGrammar lays the rules out by number.
func newGrammar(native tree.Language, rs rules) *grammar {
	byType := map[string]*rule{}
	for types, r := range rs {
		for t := range strings.FieldsSeq(types) {
			byType[t] = &r
		}
	}
	used := map[string]bool{}
	types := native.Names().Types
	g := &grammar{native: native, symbols: make([]symbolEntry, len(types))}
	for i, t := range types {
		g.symbols[i].named = t.Named
		if t.Named {
			g.symbols[i].rule = byType[t.Name]
			used[t.Name] = true
			g.symbols[i].leaf = strings.Contains(t.Name, "string") || strings.Contains(t.Name, "comment") ||
				strings.Contains(t.Name, "heredoc")
		}
	}
	for t := range byType {
		if !used[t] {
			g.unknown = append(g.unknown, t)
		}
	}
	return g
}

// grammars maps names that Language gives to the rules for their syntax trees.
var grammars = map[string]func(tree.Language) *grammar{
	"bash": bashGrammar, "c": cGrammar, "cpp": cppGrammar, "csharp": csharpGrammar, "elixir": elixirGrammar,
	"go": goGrammar, "java": javaGrammar, "javascript": javascriptGrammar, "kotlin": kotlinGrammar, "lua": luaGrammar,
	"php": phpGrammar, "python": pythonGrammar, "ruby": rubyGrammar, "rust": rustGrammar, "scala": scalaGrammar,
	"swift": swiftGrammar, "tsx": tsxGrammar, "typescript": typescriptGrammar,
}

// The shapes of rule that most languages need.
var (
	comment   = rule{role: roleComment}
	attribute = rule{role: roleAttribute}
	header    = rule{role: roleHeader}
	// within looks for definitions inside without being one; deep does so only across lines.
	within = rule{inside: true}
	deep   = rule{inside: true, multiline: true}
	// shell is a wrapper around one definition.
	shell = rule{inside: true, wrapper: true}
)

func scope(names naming) rule { return rule{kind: kindScope, names: names, inside: true} }

// function is a definition with a body in which nothing is looked for; nest looks for functions inside as well.
func function(names naming) rule { return rule{kind: kindFunction, names: names} }

func nest(names naming) rule {
	return rule{kind: kindFunction, names: names, inside: true, multiline: true}
}

func value(names naming) rule { return rule{kind: kindValue, names: names} }

// valueWithin is a value whose parts may define more (a struct in a declaration, a table of functions).
func valueWithin(names naming) rule {
	return rule{kind: kindValue, names: names, inside: true, multiline: true}
}

// named takes the node's field "name".
func named(s *syntax, it *item) []ident { return byField("name")(s, it) }

// byField takes one field of the node.
func byField(field string) naming {
	return func(s *syntax, it *item) []ident { return s.one(it.node.ChildByFieldName(field)) }
}

// firstOf takes the first child that is of one of the types.
func firstOf(types string) naming {
	return func(s *syntax, it *item) []ident { return s.one(s.child(it.node, types)) }
}

// allOf takes every child that is of one of the types.
func allOf(types string) naming {
	want := strings.Fields(types)
	return func(s *syntax, it *item) []ident {
		var out []ident
		for _, k := range s.kids(it) {
			if slices.Contains(want, k.node.Type()) {
				out = append(out, s.ident(k.node))
			}
		}
		return out
	}
}

// withBody takes names only of nodes that have the field "body": the rest are declarations of what stands elsewhere.
func withBody(names naming) naming {
	return func(s *syntax, it *item) []ident {
		if it.node.ChildByFieldName("body") == nil {
			return nil
		}
		return names(s, it)
	}
}

// changed has each name changed that names gives.
func changed(names naming, change func(it *item, id *ident)) naming {
	return func(s *syntax, it *item) []ident {
		out := names(s, it)
		for i := range out {
			change(it, &out[i])
		}
		return out
	}
}

// parted is the field "name", split at separators.
func parted(separators ...string) naming {
	return changed(byField("name"), func(_ *item, id *ident) { *id = id.qualified(separators...) })
}

// elsewhere marks names as places that other nodes define.
func elsewhere(names naming) naming {
	return changed(names, func(_ *item, id *ident) { id.elsewhere = true })
}

// onward marks names as places for what follows, where the node has no body of its own.
func onward(names naming) naming {
	return changed(names, func(it *item, id *ident) {
		id.elsewhere, id.onward = true, it.node.ChildByFieldName("body") == nil
	})
}

// headerWithoutBody: without a body, what names a file's place is a line of its header.
func headerWithoutBody(_ *syntax, it *item) role {
	if it.node.ChildByFieldName("body") == nil {
		return roleHeader
	}
	return roleCode
}

// literal gives a fixed name that stands in the node's text (constructors without a name).
func literal(name string) naming {
	return func(_ *syntax, it *item) []ident { return []ident{{name: name, at: it.start}} }
}

// fewParts is how many children of a node are asked when a name is looked for: the library counts from the front each
// time, and names stand near it.
const fewParts = 100

// ident makes a name of a node's text.
func (s *syntax) ident(n tree.Node) ident {
	text := s.text(n)
	lead := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	return ident{name: strings.TrimSpace(text), at: int(n.StartByte()) + lead}
}

func (s *syntax) one(n tree.Node) []ident {
	if n == nil {
		return nil
	}
	return []ident{s.ident(n)}
}

// child is the first named child of one of the types, nil if there is none.
func (s *syntax) child(n tree.Node, types string) tree.Node {
	if n == nil {
		return nil
	}
	want := strings.Fields(types)
	for i := range min(int(n.NamedChildCount()), fewParts) {
		if c := n.NamedChild(i); c != nil && slices.Contains(want, c.Type()) {
			return c
		}
	}
	return nil
}

// deep is the first named node of one of the types below n, itself left out, nil if there is none.
func (s *syntax) deep(n tree.Node, types string) tree.Node {
	for range maxDepth {
		if found := s.child(n, types); found != nil {
			return found
		}
		if n.NamedChildCount() == 0 {
			return nil
		}
		n = n.NamedChild(0)
	}
	return nil
}

// qualified turns a name with separators ("Registry<T>::at", "M.add", "Billing::Error") into a name and its scopes.
func (id ident) qualified(separators ...string) ident {
	depth, cut := 0, -1
	var parts []string
	from := 0
	for i := 0; i < len(id.name); i++ {
		switch id.name[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		}
		for _, sep := range separators {
			if depth == 0 && i >= from && strings.HasPrefix(id.name[i:], sep) && i+len(sep) < len(id.name) {
				parts = append(parts, generic(id.name[from:i]))
				from = i + len(sep)
				cut = from
				break
			}
		}
	}
	if cut < 0 {
		return id
	}
	for _, p := range parts {
		if p = cleanName(p); p != "" {
			id.prefix = append(id.prefix, p)
		}
	}
	id.at += cut
	id.name = id.name[cut:]
	return id
}

// generic cuts type parameters: "Stack<T>" is "Stack".
func generic(name string) string {
	if i := strings.IndexAny(name, "<[("); i > 0 {
		return strings.TrimSpace(name[:i])
	}
	return strings.TrimSpace(name)
}
