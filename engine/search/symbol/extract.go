package symbol

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/tree"
)

// Limits of one file, whatever it holds.
const (
	maxPlaces = 2000 // occurrences of a name
	maxClimb  = 12   // nodes above an occurrence that are looked at
	// maxTypedText bounds texts without a tree that are searched for what a receiver's type is: all of the text, for each
	// receiver.
	maxTypedText = 256 << 10
)

// Extract finds a name in a document: its definitions and its uses. An empty name asks for all definitions. Imports are
// left out: they are the same for every name.
func Extract(d *chunk.Document, name string) File {
	x := &extraction{d: d, name: name, receivers: map[string]string{}}
	out := File{Words: d.Root == nil}
	if name == "" {
		for _, m := range d.Definitions {
			if !m.Place {
				out.Definitions = append(out.Definitions, x.definition(m))
			}
		}
		return out
	}
	x.commented = x.comments()
	for from, n := 0, 0; n < maxPlaces; n++ {
		i := strings.Index(d.Text[from:], name)
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(name)
		if !wordAt(d.Text, at, len(name)) || Marked(d.Language) && marked(d.Text[from:]) {
			continue
		}
		x.place(at, &out)
	}
	x.supers(&out)
	x.markLocals(&out)
	return out
}

// extraction is one file and name at work.
type extraction struct {
	d         *chunk.Document
	name      string
	commented []chunk.LineRole  // without a tree
	receivers map[string]string // types found, by receiver
	scopes    []scope           // where the name is a local one
	offsets   []int             // of References
	typeOnly  bool              // of the one in hand
	types     []bool            // of References: those that stand where only a type can
	declared  map[string][]*binding
}

type scope struct{ start, end int }

// wordAt reports whether the n bytes at at are a whole word.
func wordAt(text string, at, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+n:])
	return (at == 0 || !wordRune(before)) && (at+n == len(text) || !wordRune(after))
}

// HasWord reports whether a file's bytes have a name as a whole word, which costs less than to parse them.
func HasWord(data []byte, name string) bool {
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(name))
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRune(data[:at])
		after, _ := utf8.DecodeRune(data[at+len(name):])
		if (at == 0 || !wordRune(before)) && (at+len(name) == len(data) || !wordRune(after)) {
			return true
		}
		from = at + len(name)
	}
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// place judges one occurrence.
func (x *extraction) place(at int, out *File) {
	if m, ok := x.export(at); ok {
		out.Definitions = append(out.Definitions, m)
		return
	}
	if i := slices.IndexFunc(x.d.Definitions, func(m chunk.Definition) bool {
		return m.At == at && (m.Name == x.name || strings.HasPrefix(m.Name, x.name) && !wordRune(rune(m.Name[len(x.name)])))
	}); i >= 0 {
		m := x.definition(x.d.Definitions[i])
		m.Column = x.column(at)
		x.explain(&m, x.d.Definitions[i])
		out.Definitions = append(out.Definitions, m)
		if !m.Place {
			return
		}
		out.Definitions = out.Definitions[:len(out.Definitions)-1] // an impl block uses its type
	}
	r := Reference{Line: x.d.LineAt(at), Column: x.column(at)}
	text := x.d.Text
	if !x.d.Code(at) {
		x.inPage(at, r, out)
		return
	}
	if x.d.Root == nil {
		if slices.ContainsFunc(x.d.Definitions, func(m chunk.Definition) bool {
			return m.Name == x.name && m.Top <= r.Line && at < m.At
		}) && (len(x.commented) < r.Line || x.commented[r.Line-1] != chunk.LineComment) {
			return // its type, on a line before it
		}
		if role := x.commented; r.Line <= len(role) && role[r.Line-1] == chunk.LineComment {
			r.Role = Text
		}
		if len(text) <= maxTypedText {
			r.Receiver, r.Type = x.receiver(at)
		} else {
			r.Receiver = strings.Join(chainBefore(text, at, x.d.Language), ".")
		}
		if r.Role == Mention && opens(text[at+len(x.name):]) {
			r.Role = Call
		}
		x.add(out, r, at)
		return
	}
	leaf := x.d.Root.Named(at, at+len(x.name))
	if leaf == nil {
		return
	}
	kind := leaf.Type()
	if x.lookedUp(leaf, at, &r) {
		x.add(out, r, at)
		return
	}
	if x.d.Language == "php" && kind == "text" { // Blade
		x.inPage(at, r, out)
		return
	}
	if x.callable(leaf, &r) {
		x.add(out, r, at)
		return
	}
	if textual(kind) && !(x.d.Language == "python" && exported(leaf, x.d)) {
		r.Role = Text
		x.add(out, r, at)
		return
	}
	ancestors := climb(leaf)
	switch {
	case importing(ancestors, x.d):
		r.Role = Import
		r.Type = statement(ancestors, x.d)
	case x.calls(at, leaf, ancestors):
		r.Role = Call
	case keyed(text[at+len(x.name):], ancestors):
		r.Role = Key
	}
	if o := x.object(leaf, ancestors); o != nil && !x.exports(o) {
		r.Expr = x.infer(o, 0)
	} else if r.Role == Import && patternKey(leaf, ancestors) {
		r.Expr = x.keyOf(ancestors)
	}
	if r.Role == Import || len(r.Expr) > 0 {
		r.Receiver = strings.Join(chainBefore(text, at, x.d.Language), ".")
		if len(r.Expr) == 1 {
			r.Type = x.plainType(r.Expr[0])
		}
	} else {
		r.Receiver, r.Type = x.receiver(at)
	}
	if r.Role == Key && (r.Receiver == "" || r.Receiver == "?") {
		r.Type, r.Expr = x.literal(ancestors), x.keyOf(ancestors)
	}
	if kind == "shorthand_property_identifier" || kind == "shorthand_property_identifier_pattern" {
		key := r // the key, beside the variable that is called so
		key.Role, key.Expr = Key, x.keyOf(ancestors)
		x.add(out, key, at)
	}
	switch {
	case r.Role == Key && r.Receiver == "?": // .name = in C
		r.Receiver = ""
	case strings.Contains(kind, "symbol"): // Ruby's :name
		r.Receiver = "?"
	case x.d.Language == "bash" && kind == "variable_name":
		r.Receiver = "$"
	case x.d.Language == "bash" && r.Role != Call && kind == "word":
		r.Role = Text
	}
	if x.d.Language == "go" && kind == "type_identifier" {
		for _, a := range ancestors[:min(len(ancestors), 3)] { // an embedded field is both
			if a.kind == "field_declaration" && a.node.ChildByFieldName("name") == nil {
				out.Definitions = append(out.Definitions, x.member(at, ancestors))
			}
		}
	}
	if x.attribute(r, at, ancestors, out) {
		m := x.member(at, ancestors)
		for len(m.Scope) > 1 && m.Scope[len(m.Scope)-1] != r.Type {
			m.Scope = m.Scope[:len(m.Scope)-1]
		}
		out.Definitions = append(out.Definitions, m)
		return
	}
	if own, sure := x.literalKey(leaf, ancestors); own {
		m := x.member(at, ancestors)
		m.Inner = !sure
		if out.Definitions = append(out.Definitions, m); sure {
			return
		}
	}
	if defines(leaf, kind, ancestors) && r.Receiver == "" {
		out.Definitions = append(out.Definitions, x.member(at, ancestors))
		return
	}
	macro := x.d.Language == "rust" && strings.HasPrefix(text[at+len(x.name):], "!(")
	x.typeOnly = kind == "type_identifier" || defaulted(leaf, ancestors)
	if r.Receiver == "" && r.Role != Import && !macro && !x.typeOnly {
		if s, ok := declares(leaf, ancestors, x.d.Language); ok {
			x.scopes = append(x.scopes, s)
			r.Local = true
		}
	}
	x.add(out, r, at)
}

// column is the byte of an offset in its line, from 0.
func (x *extraction) column(at int) int { return at - 1 - strings.LastIndexByte(x.d.Text[:at], '\n') }

// plainType is the name of the type that a root of an expression is, as far as the root alone says it.
func (x *extraction) plainType(root string) string {
	if text, ok := strings.CutPrefix(root, typeRoot); ok {
		if heads := Heads(text, x.d.Language); len(heads) > 0 {
			return last(heads[0])
		}
	}
	return ""
}

// literals are the types of nodes of literals with keys, and the fields that name their types.
var literals = map[string]string{"composite_literal": "type", "struct_expression": "name"}

// literal is the type of the literal that a key stands in; "" if the code does not say.
func (x *extraction) literal(up []ancestor) string {
	for _, a := range up {
		if n := child(a.node, literals[a.kind]); n != nil {
			name := generic(strings.TrimSpace(strings.TrimLeft(x.text(n), "[]*&")))
			return name[strings.LastIndexAny(name, ".:")+1:]
		}
	}
	return ""
}

// attribute reports whether an occurrence is where an object's attribute is first set: self.name = … in Python,
// this.name = … in JavaScript, @name = … in Ruby.
func (x *extraction) attribute(r Reference, at int, up []ancestor, out *File) bool {
	switch {
	case x.d.Language == "python" && r.Receiver == "self", x.d.Language == "javascript" &&
		r.Receiver == "this", r.Receiver == "@":
	default:
		return false
	}
	rest := strings.TrimLeft(x.d.Text[at+len(x.name):], " \t")
	annotated := x.d.Language == "python" && strings.HasPrefix(rest, ":") && len(up) > 1 && up[1].kind == "assignment"
	if !annotated && (!strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "=>")) {
		return false
	}
	return r.Type != "" && !slices.ContainsFunc(out.Definitions,
		func(d Definition) bool { return contains(d.Scope, r.Type) })
}

func (x *extraction) add(out *File, r Reference, at int) {
	if r.Role != Text {
		r.In = x.around(at)
	}
	out.References = append(out.References, r)
	x.offsets = append(x.offsets, at)
	x.types = append(x.types, x.typeOnly)
	x.typeOnly = false
}

// markLocals marks what stands in a function that declares the name for itself.
func (x *extraction) markLocals(out *File) {
	for i := range out.References {
		r := &out.References[i]
		if r.Receiver != "" || r.Role == Import || r.Role == Text || x.types[i] {
			continue
		}
		dollar := x.d.Language == "php" && x.offsets[i] > 0 && x.d.Text[x.offsets[i]-1] == '$'
		if r.Role == Key && !dollar || x.d.Language == "php" && !dollar {
			continue
		}
		if x.d.Language == "rust" && strings.HasPrefix(x.d.Text[x.offsets[i]+len(x.name):], "!") &&
			!strings.HasPrefix(x.d.Text[x.offsets[i]+len(x.name):], "!=") {
			continue // a macro
		}
		for _, s := range x.scopes {
			r.Local = r.Local || s.start <= x.offsets[i] && x.offsets[i] < s.end
		}
		r.Local = r.Local || dollar
	}
}

// definition lays out a definition that chunk's rules found.
func (x *extraction) definition(m chunk.Definition) Definition {
	out := Definition{Name: m.Name, Scope: m.Scope, Kind: m.Kind, Top: min(m.Top, m.Line), Line: m.Line,
		Last: m.Last, NameLine: x.d.LineAt(m.At),
		Signature: x.d.Signature(m), Comment: x.d.Comment(m), Member: m.Member, Abstract: m.Abstract, Place: m.Place}
	if x.name != "" {
		out.Name = x.name
	}
	if len(m.Scope) > 0 {
		for _, o := range x.d.Definitions {
			if o.Name == m.Scope[len(m.Scope)-1] && o.Start <= m.Start && m.End <= o.End && o.At != m.At {
				out.Inner = o.Kind == chunk.KindFunction || o.Kind == chunk.KindMethod && m.Kind != chunk.KindType
			}
		}
	}
	return out
}

// explain adds what Types needs of a definition.
func (x *extraction) explain(d *Definition, m chunk.Definition) {
	if x.d.Root == nil {
		return
	}
	leaf := x.d.Root.Named(m.At, m.At+len(x.name))
	if leaf == nil {
		return
	}
	up := climb(leaf)
	if c := (Candidate{Definition: *d}); isType(&c) || d.Kind == chunk.KindType || d.Kind == "module" {
		d.Bases = x.basesOf(m)
		if x.d.Language == "c" || x.d.Language == "cpp" {
			d.Bases = append(d.Bases, typedefOf(x, up)...)
		}
		rest := x.d.Text[min(m.At+len(x.name), len(x.d.Text)):min(m.End, len(x.d.Text))]
		rest = strings.TrimLeft(skipBrackets(rest, "<>"), " \t\n")
		if alias, ok := strings.CutPrefix(rest, "="); ok || x.d.Language == "go" && len(d.Bases) == 0 {
			alias = strings.TrimRight(strings.TrimSpace(alias), ";")
			d.Alias = alias[:min(len(alias), maxTyped)]
		}
		if d.Kind == "interface" && family(x.d.Language) == "javascript" {
			if _, body, _ := strings.Cut(rest, "{"); strings.HasPrefix(strings.TrimSpace(body), "(") { // its call signature
				body = strings.TrimSpace(body)
				d.Parameters = body[:min(len(body), 2*maxTyped)]
			}
		}
		return
	}
	d.Extends = x.extended(d.Signature, up)
	d.Gives = x.gives(leaf, up)
	if len(d.Gives) == 0 && d.Member && d.Kind != chunk.KindMethod {
		d.Gives = x.assignedLater(x.name)
	}
	if family(x.d.Language) == "javascript" {
		for _, a := range up[:min(len(up), 3)] {
			list := child(a.node, "parameters")
			if v := child(a.node, "value"); list == nil && v != nil {
				list = child(v, "parameters")
			}
			if list != nil {
				text := x.text(list)
				d.Parameters = text[:min(len(text), 2*maxTyped)]
				break
			}
		}
	}
}

// member lays out a field that no rule of chunk's names.
func (x *extraction) member(at int, ancestors []ancestor) Definition {
	abstract := len(ancestors) > 0 && ancestors[0].kind == "property_signature"
	line := x.d.LineAt(at)
	m := Definition{Name: x.name, Scope: x.around(at), Kind: "field", Member: true, Abstract: abstract,
		Top: line, Line: line, Last: line, NameLine: line, Column: x.column(at),
		Signature: strings.Join(strings.Fields(x.d.Line(line)), " ")}
	if leaf := x.d.Root.Named(at, at+len(x.name)); leaf != nil {
		m.Gives = x.gives(leaf, ancestors)
		if len(m.Gives) == 0 && len(ancestors) > 1 && (ancestors[0].kind == "attribute" ||
			ancestors[0].kind == "member_expression") {
			m.Gives = x.infer(child(ancestors[1].node, "right"), 0) // self.name = value
			if t := child(ancestors[1].node, "type"); t != nil {
				m.Gives = typed(x.text(t))
			}
		}
	}
	if len(m.Signature) > 160 {
		m.Signature = strings.ToValidUTF8(m.Signature[:160], "") + "…"
	}
	if n := len(m.Scope); n > 1 && (m.Scope[n-1] == "constructor" || m.Scope[n-1] == "__construct") {
		m.Scope = m.Scope[:n-1]
	}
	if len(ancestors) > 0 && strings.Contains(ancestors[0].kind, "variant") {
		m.Kind = "constant"
	}
	return m
}

// around are the definitions that an offset stands in, outermost first.
func (x *extraction) around(at int) []string {
	if best := x.innermost(at, at); best != nil {
		return best.Path()
	}
	return nil
}

// innermost is the definition that an offset stands in, but for the one whose name begins at but; nil without one.
func (x *extraction) innermost(at, but int) (best *chunk.Definition) {
	for i := range x.d.Definitions {
		m := &x.d.Definitions[i]
		if m.Start <= at && at < m.End && m.At != but && (best == nil || m.End-m.Start <= best.End-best.Start) {
			best = m
		}
	}
	return best
}

// comments are the lines' roles where there is no tree.
func (x *extraction) comments() []chunk.LineRole {
	if x.d.Root != nil {
		return nil
	}
	return chunk.Lines(x.d.Text, x.d.Language, 1)
}

// ancestor is a node above an occurrence with its type, which costs a call to have.
type ancestor struct {
	node tree.Node
	kind string
}

func climb(n tree.Node) []ancestor {
	var out []ancestor
	for range maxClimb {
		if n = n.Parent(); n == nil {
			break
		}
		out = append(out, ancestor{n, n.Type()})
	}
	return out
}

// exported reports whether a string stands in Python's __all__.
func exported(leaf tree.Node, d *chunk.Document) bool {
	for _, a := range climb(leaf) {
		if a.kind == "assignment" {
			return strings.HasPrefix(d.Text[a.node.StartByte():], "__all__")
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// opens reports whether what follows a name calls it: "(", or "(" behind type arguments or a macro's sign.
func opens(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 200)], " \t")
	rest = strings.TrimPrefix(rest, "?.")
	for _, mark := range []string{"!", "::", "?"} {
		if t, ok := strings.CutPrefix(rest, mark); ok && t != "" && strings.ContainsAny(t[:1], "(<[{") {
			rest = t
			if mark == "!" {
				return true
			}
		}
	}
	if rest == "" {
		return false
	}
	if rest[0] == '(' {
		return true
	}
	if rest[0] == '<' || rest[0] == '[' {
		depth := 0
		for i := 0; i < len(rest); i++ {
			switch rest[i] {
			case '<', '[':
				depth++
			case '>', ']':
				if depth--; depth == 0 {
					return strings.HasPrefix(rest[i+1:], "(")
				}
			case ';', '\n', '{', '"', '=', '&', '|':
				return false
			}
		}
	}
	return false
}

// bareCalls are the types of nodes that call what stands in their first place, without brackets.
var bareCalls = wordSet(`call call_expression command_name function_call macro_invocation new_expression
	object_creation_expression command application infix_expression struct_expression composite_literal`)

// calls reports whether an occurrence is called or constructed.
func (x *extraction) calls(at int, leaf tree.Node, up []ancestor) bool {
	if opens(x.d.Text[at+len(x.name):]) {
		return true
	}
	before := strings.TrimRight(x.d.Text[max(0, at-8):at], " \t")
	if strings.HasSuffix(before, "new") && x.d.Language != "go" {
		return true
	}
	if len(up) == 0 || !bareCalls[up[0].kind] {
		return false
	}
	n := up[0].node
	switch up[0].kind {
	case "composite_literal", "struct_expression", "command_name", "macro_invocation":
		return n.StartByte() == leaf.StartByte() || up[0].kind == "command_name"
	case "call": // Ruby's method, Elixir's target
		if m := n.ChildByFieldName("method"); m != nil {
			return m.StartByte() == leaf.StartByte()
		}
		if m := n.ChildByFieldName("target"); m != nil {
			return m.StartByte() == leaf.StartByte()
		}
		return false
	}
	return n.StartByte() == leaf.StartByte()
}

// keyed reports whether an occurrence names a field of a literal or an argument.
func keyed(rest string, up []ancestor) bool {
	rest = strings.TrimLeft(rest, " \t")
	if len(up) == 0 || rest == "" {
		return false
	}
	for _, a := range up[:min(len(up), 2)] {
		switch a.kind {
		case "pair", "keyed_element", "field_initializer", "value_argument", "literal_element", "named_expression",
			"argument", "label",
			"name_colon", "pair_pattern", "field_pattern", "value_argument_label":
			if rest[0] == ':' && !strings.HasPrefix(rest, "::") || rest[0] == '=' && !strings.HasPrefix(rest, "==") {
				return true
			}
		case "keyword_argument", "field_designator", "field":
			return rest[0] == '='
		case "shorthand_field_initializer":
			return true
		}
	}
	return false
}

// fieldNodes are the types of nodes that define a member which chunk's rules do not name.
var fieldNodes = wordSet(
	`field_declaration property_signature property_promotion_parameter class_parameter enum_variant`)

// defines reports whether an occurrence names a field.
func defines(leaf tree.Node, kind string, up []ancestor) bool {
	if strings.Contains(kind, "type") && kind != "property_identifier" || kind == "predefined_type" {
		return false
	}
	for _, a := range up[:min(len(up), 3)] {
		if a.kind == "required_parameter" && a.node.NamedChildCount() > 0 {
			first := a.node.NamedChild(0).Type() // constructor(private name: Type)
			return first == "accessibility_modifier" || first == "override_modifier"
		}
		if fieldNodes[a.kind] {
			return !slices.ContainsFunc([]string{"type", "value", "default_value", "right", "body"},
				func(f string) bool { return within(leaf, a.node.ChildByFieldName(f)) })
		}
		if !strings.HasSuffix(a.kind, "declarator") && a.kind != "variable_name" || within(leaf, child(a.node, "value")) {
			return false
		}
	}
	return false
}

func within(n, outer tree.Node) bool {
	return outer != nil && outer.StartByte() <= n.StartByte() && n.EndByte() <= outer.EndByte()
}
