package lang

import (
	"iter"
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

// Defines is what a syntax node defines, according to its rule.
type Defines string

const (
	DefinesNothing  Defines = ""
	DefinesScope    Defines = "scope"    // has members: a class, module, namespace
	DefinesFunction Defines = "function" // has statements
	DefinesValue    Defines = "value"    // has neither members nor statements: a constant, variable, field, alias
)

// Role determines how a part of a file is joined to its neighbours in a chunk.
type Role string

const (
	RoleCode      Role = ""
	RoleComment   Role = "comment"   // belongs to the following part unless a blank line separates them
	RoleAttribute Role = "attribute" // belongs to the following part
	RoleHeader    Role = "header"    // a licence, package clause or import
)

// NameFunc returns the names that a node defines.
type NameFunc func(*Reading, tree.Node) []Ident

// Rule specifies what nodes of one type define and how they are cut into chunks.
type Rule struct {
	Defines Defines
	Role    Role
	RoleOf  func(*Reading, tree.Node) Role // if not nil, decides instead of Role
	Names   NameFunc
	Inside  bool // the node may contain definitions
	Wrapper bool // the node is a decorator or modifier around one definition
	// If Multiline is true, Inside applies only to nodes of several lines.
	Multiline bool
}

type Ident struct {
	Name      string
	At        int
	Prefix    []string
	Function  bool // a variable whose value is a function
	Placeless bool // an additional name, used only as a symbol
	Elsewhere bool // scope of a type defined elsewhere, such as an impl block
	Onward    bool // scope of everything that follows in the file, such as a package

	// The following fields are set only if Reading.Document is true.
	Silent bool // only a scope for the members of an object literal
	Holder bool // the value may contain an object literal
	Object bool // the value is an object literal without a declared type
}

// Change changes text so that a grammar may parse more, without changing its length. lost is the number of bytes of
// code replaced by spaces.
type Change func(text string) (changed string, lost int)

// Reading is a file with a syntax tree, the input of rules.
type Reading struct {
	Text string
	// If Document is true, members of object literals are also found.
	Document bool
}

// InError is the rule for nodes with syntax errors.
var InError = Rule{Inside: true}

func named(r *Reading, it tree.Node) []Ident { return byField("name")(r, it) }

// byField returns a NameFunc for the name in a field of the node, such as "name".
func byField(field string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident { return r.one(it.ChildByFieldName(field)) }
}

// firstOf returns a NameFunc for the first child that has one of the space-separated types. ">" separates the types of
// a child from the types of a grandchild.
func firstOf(types string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		for step := range strings.SplitSeq(types, ">") {
			it = r.child(it, step)
		}
		return r.one(it)
	}
}

// allOf returns a NameFunc for all children of the space-separated types.
func allOf(types string) NameFunc {
	want := strings.Fields(types)
	return func(r *Reading, it tree.Node) []Ident {
		var out []Ident
		for k := range r.kids(it) {
			if slices.Contains(want, k.Type()) {
				out = append(out, r.ident(k))
			}
		}
		return out
	}
}

// changed adds a change to each name that a NameFunc returns.
func changed(names NameFunc, change func(r *Reading, it tree.Node, id *Ident)) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		out := names(r, it)
		for i := range out {
			change(r, it, &out[i])
		}
		return out
	}
}

// changes contains the functions by which a rule may change a name.
var changes = map[string]func(r *Reading, it tree.Node, id *Ident){
	"generic": func(_ *Reading, _ tree.Node, id *Ident) { id.Name = Generic(id.Name) },
	// bare removes words and signs such as "$" before a name.
	"bare": func(_ *Reading, _ tree.Node, id *Ident) {
		name := strings.TrimLeft(id.Name, Sigils)
		if !strings.HasPrefix(name, "(") {
			name = name[strings.LastIndexByte(name, ' ')+1:]
		}
		id.Name, id.At = name, id.At+len(id.Name)-len(name)
	},
	"unquote":   func(_ *Reading, _ tree.Node, id *Ident) { *id = unquote(*id) },
	"elsewhere": func(_ *Reading, _ tree.Node, id *Ident) { id.Elsewhere = true },
	// A scope without a body contains the following code, as "namespace a;" in PHP.
	"onward": func(_ *Reading, it tree.Node, id *Ident) {
		id.Elsewhere, id.Onward = true, it.ChildByFieldName("body") == nil
	},
}

// typed returns a NameFunc for a field of a node. spec is the field's name and the permitted node types.
func typed(spec string) NameFunc {
	words := strings.Fields(spec)
	return func(r *Reading, it tree.Node) []Ident {
		n := it.ChildByFieldName(words[0])
		if !slices.Contains(words[1:], n.Type()) {
			return nil
		}
		id := r.ident(n)
		id.Function = it.ChildByFieldName("right").Type() == "lambda"
		return []Ident{id}
	}
}

// components returns a NameFunc for parameters that are also members, as in a Java record.
func components(types string) NameFunc {
	want := strings.Fields(types)
	return func(r *Reading, it tree.Node) (out []Ident) {
		if !slices.Contains(want[1:], it.Parent().Type()) {
			return nil
		}
		for k := range r.kids(it) {
			if k.Type() == "spread_parameter" { // as in Java
				k = r.child(k, "variable_declarator")
			} else if k.Type() != want[0] {
				continue
			}
			out = append(out, r.one(k.ChildByFieldName("name"))...)
		}
		return out
	}
}

// literal returns a NameFunc that always returns the same name, as for a constructor.
func literal(name string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		_, at := r.own(it)
		return []Ident{{Name: name, At: at}}
	}
}

func (r *Reading) text(n tree.Node) string {
	if n == nil {
		return ""
	}
	return r.Text[n.StartByte():n.EndByte()]
}

// own returns a node's text without surrounding white space, and its offset.
func (r *Reading) own(n tree.Node) (string, int) {
	text := r.text(n)
	trimmed := strings.TrimLeft(text, " \t\r\n")
	return strings.TrimRight(trimmed, " \t\r\n"), int(n.EndByte()) - len(trimmed)
}

func (r *Reading) inLine(n tree.Node) bool {
	text, _ := r.own(n)
	return !strings.ContainsAny(text, "\r\n")
}

func (r *Reading) ident(n tree.Node) Ident {
	text, at := r.own(n)
	return Ident{Name: strings.TrimSpace(text), At: at}
}

func (r *Reading) one(n tree.Node) []Ident {
	if n == nil {
		return nil
	}
	return []Ident{r.ident(n)}
}

// kids iterates over the children that contain more than white space.
func (r *Reading) kids(n tree.Node) iter.Seq[tree.Node] {
	return func(yield func(tree.Node) bool) {
		for k := n.FirstChild(); k != nil; k = k.NextSibling() {
			if text, _ := r.own(k); text != "" && !yield(k) {
				return
			}
		}
	}
}

// MaxDepth is the maximum depth of nested nodes. Only generated code exceeds it.
const MaxDepth = 100

// child returns the first named child with one of the space-separated types, or nil.
func (r *Reading) child(n tree.Node, types string) tree.Node {
	want := strings.Fields(types)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.IsNamed() && slices.Contains(want, c.Type()) {
			return c
		}
	}
	return nil
}

// testCall returns a NameFunc for the description of a test in a call such as describe("name"). field contains the
// called function.
func testCall(field string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		name, _, _ := strings.Cut(r.text(it.ChildByFieldName(field)), ".")
		if !testCalls[name] || field == "method" && r.inLine(it) {
			return nil
		}
		return r.described(it.ChildByFieldName("arguments"))
	}
}

// described returns the description of a test, which is the first argument of a call.
func (r *Reading) described(args tree.Node) []Ident {
	first := args.NamedChild(0)
	switch first.Type() {
	case "string", "constant", "scope_resolution", "template_string", "argument":
		id := unquote(r.ident(first))
		id.Elsewhere = true
		return []Ident{id}
	}
	return nil
}

func unquote(id Ident) Ident {
	if len(id.Name) > 1 && strings.ContainsRune("'\"`", rune(id.Name[0])) {
		id.Name, id.At = strings.Trim(id.Name, "'\"`"), id.At+1
	}
	return id
}

// testCalls are functions whose first argument describes a test.
var testCalls = Set(`describe context it test suite specify feature scenario namespace task`)

// qualified moves the scopes in a name to id.Prefix, such as "M" in "M.add".
func (id Ident) qualified(separators ...string) Ident {
	depth, from := 0, 0
	for i := 0; i < len(id.Name); i++ {
		switch id.Name[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		}
		for _, sep := range separators {
			if depth == 0 && i >= from && strings.HasPrefix(id.Name[i:], sep) && i+len(sep) < len(id.Name) {
				if scope := CleanName(Generic(id.Name[from:i])); scope != "" {
					id.Prefix = append(id.Prefix, scope)
				}
				from = i + len(sep)
				break
			}
		}
	}
	id.At, id.Name = id.At+from, id.Name[from:]
	return id
}

// Generic returns a name without type parameters, such as Stack for "Stack<T>".
func Generic(name string) string {
	if i := strings.IndexAny(name, "<[("); i > 0 {
		name = name[:i]
	}
	return strings.TrimSpace(name)
}

// MaxName is the maximum length of a name in characters.
const MaxName = 120

// CleanName normalizes a name for symbols and breadcrumbs. It returns "" if s is not a name.
func CleanName(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "`") // Kotlin and Swift quote keywords
	s, _, _ = strings.Cut(strings.ReplaceAll(s, "\r", "\n"), "\n")
	if runes := []rune(s); len(runes) > MaxName {
		s = string(runes[:MaxName])
	}
	return strings.TrimSpace(s)
}

// BeginsWith reports whether s begins with one of the words.
func BeginsWith(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(s, w) })
}

// Blank overwrites all bytes of b except line feeds with spaces.
func Blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// WordByte reports whether an ASCII character can be part of a name.
func WordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}
