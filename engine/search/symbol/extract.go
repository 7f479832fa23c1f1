package symbol

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// Limits of one file.
const (
	maxPlaces = 2000 // occurrences of a name
	maxClimb  = 12   // nodes above an occurrence that are looked at
	// maxTypedText bounds texts without a tree that are searched for the type of a receiver: all of the text, for each
	// receiver.
	maxTypedText = 256 << 10
)

// Extract finds a name in a document: its definitions and its uses. An empty name asks for all definitions. Imports are
// left out: they are the same for every name.
func Extract(d *chunk.Document, name string) File {
	x := &extraction{d: d, name: name, l: lang.Of(d.Language), receivers: map[string]string{}}
	if name == "" {
		for _, m := range d.Definitions {
			if !m.Place {
				x.out.Definitions = append(x.out.Definitions, x.definition(m))
			}
		}
		return x.out
	}
	if d.Root == nil {
		x.comments = chunk.Lines(d.Text, d.Language, 1)
	}
	places := 0
	x.l.Occurrences(d.Text, name, func(start, end int) bool {
		x.place(start, end)
		places++
		return places < maxPlaces
	})
	x.markLocals()
	return x.out
}

// extraction is one file and name at work.
type extraction struct {
	d         *chunk.Document
	l         *lang.Language
	name      string
	out       File
	comments  []chunk.LineRole  // without a tree
	receivers map[string]string // types found, by receiver
	scopes    []scope           // where the name is a local one
	places    []placed          // of References
	defaults  map[string]bool   // names of what the module exports as a whole
}

// placed is where a reference is, and whether it can only be a type.
type placed struct {
	start, end int
	typeOnly   bool
}

type scope struct{ start, end int }

// place classifies one occurrence.
func (x *extraction) place(at, end int) {
	if m := x.defined(at, end); m != nil {
		d := x.definition(*m)
		d.Name, d.Column = x.d.Text[at:end], x.column(at)
		if !m.Place { // an impl block uses its type
			x.out.Definitions = append(x.out.Definitions, d)
			return
		}
	}
	r := Reference{Line: x.d.LineAt(at), Column: x.column(at)}
	switch {
	case !x.d.Code(at):
		x.inPage(r, at, end)
	case x.d.Root == nil:
		x.inLine(r, at, end)
	default:
		if leaf := x.d.Root.Named(at, end); leaf != nil {
			x.inTree(r, at, end, leaf)
		}
	}
}

// defined returns the definition whose name is at an offset, without the signs before it and the scopes that its name
// may have.
func (x *extraction) defined(at, end int) (place *chunk.Definition) {
	for i := range x.d.Definitions {
		m := &x.d.Definitions[i]
		if m.At > at || at-m.At > len(m.Name) {
			continue
		}
		lead := at - m.At
		if lead > len(m.Name) || !strings.HasPrefix(m.Name[lead:], x.d.Text[at:end]) {
			continue
		}
		before, after := m.Name[:lead], m.Name[lead+end-at:]
		last, _ := utf8.DecodeRuneInString(after)
		if (after == "" || !lang.WordRune(last) && !strings.HasPrefix(after, "::") && !strings.HasPrefix(after, ".")) &&
			(strings.Trim(before, lang.Sigils) == "" || strings.HasSuffix(before, "::") || strings.HasSuffix(before, ".") ||
				strings.HasSuffix(before, ":") || strings.HasSuffix(before, "#") || strings.HasSuffix(before, `\`)) {
			if !m.Place {
				return m
			}
			place = m
		}
	}
	return place
}

// inLine classifies an occurrence in a file without a tree.
func (x *extraction) inLine(r Reference, at, end int) {
	text := x.d.Text
	if slices.ContainsFunc(x.d.Definitions, func(m chunk.Definition) bool {
		return m.Name == x.name && m.Top <= r.Line && r.Line < x.d.LineAt(m.At) && at < m.At
	}) && (len(x.comments) < r.Line || x.comments[r.Line-1] != chunk.LineComment) {
		return // its type, on a line before it
	}
	switch {
	case x.l.Sort == lang.Prose:
		r.Role = Comment
	case r.Line <= len(x.comments) && x.comments[r.Line-1] == chunk.LineComment:
		r.Role = Comment
	case x.l.Sort == lang.Data:
		r.Role, r.Exact = String, true
	default:
		r.Role, r.Exact = x.scanned(at, end)
	}
	if r.Role != Mention {
		x.add(r, at, end, false)
		return
	}
	if r.Line <= len(x.comments) && x.comments[r.Line-1] == chunk.LineHeader {
		r.Role = Import
	}
	if len(text) <= maxTypedText {
		r.Receiver, r.Type = x.receiver(at)
	} else {
		r.Receiver = strings.Join(chainBefore(text, at, x.d.Language), ".")
	}
	if r.Role == Mention && opens(text[end:]) {
		r.Role = Call
	}
	x.add(r, at, end, false)
}

// scanned tells by the line alone whether an occurrence is in a string or behind a comment's sign.
func (x *extraction) scanned(at, end int) (role Role, exact bool) {
	from := strings.LastIndexAny(x.d.Text[:at], "\r\n") + 1
	marks := lang.Marks(x.d.Language)
	quotes := "\"'`"
	if strings.ContainsRune(x.l.Signs, '\'') || x.l.Name == "clojure" || x.l.Name == "vhdl" || x.l.Name == "ada" {
		quotes = "\""
	}
	opened := -1
	for i := from; i < at; i++ {
		c := x.d.Text[i]
		switch {
		case c == '\\':
			i++
		case opened >= 0:
			if c == x.d.Text[opened] {
				opened = -1
			}
		case slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(x.d.Text[i:at], m) }):
			return Comment, false
		case strings.IndexByte(quotes, c) >= 0:
			opened = i
		}
	}
	if opened < 0 {
		return Mention, false
	}
	closing := strings.IndexByte(x.d.Text[end:], x.d.Text[opened])
	if nl := strings.IndexAny(x.d.Text[end:], "\r\n"); closing < 0 || nl >= 0 && nl < closing {
		return Mention, false // an apostrophe
	}
	return String, isName(x.d.Text[opened+1 : end+closing])
}

// nameString matches a string that names something: a name, a path of names, a type.
var nameString = regexp.MustCompile(`^[\pL\pN_$@#:.,/\\|&\[\](){}<>=*?!~^+-]*$`)

// isName reports whether a string names something and is no sentence.
func isName(s string) bool {
	return len(s) < 200 && nameString.MatchString(s)
}

// inTree classifies an occurrence by the nodes around it.
func (x *extraction) inTree(r Reference, at, end int, leaf tree.Node) {
	text, kind, up := x.d.Text, leaf.Type(), climb(leaf)
	if x.d.Language == "php" && kind == "text" { // Blade
		x.inPage(r, at, end)
		return
	}
	if textual(kind) && !x.code(&r, at, end, leaf, up) {
		r.Role = String
		if strings.Contains(kind, "comment") {
			r.Role = Comment
		} else {
			r.Exact = isName(strings.Trim(x.text(leaf), "'\"`:brf"))
		}
		x.add(r, at, end, false)
		return
	}
	switch {
	case r.Role == Call: // a callable in a string
	case importing(up, x.d):
		r.Role = Import
	case x.calls(at, end, leaf, up):
		r.Role = Call
	case keyed(text[end:], up):
		r.Role = Key
	}
	if r.Receiver == "" {
		r.Receiver, r.Type = x.receiver(at)
	}
	if r.Role == Key && (r.Receiver == "" || r.Receiver == "?") {
		r.Type = x.literal(up)
	}
	switch {
	case r.Role == Key && r.Receiver == "?": // .name = in C
		r.Receiver = ""
	case strings.Contains(kind, "symbol"): // Ruby's :name
		r.Receiver = "?"
	case x.d.Language == "bash" && kind == "variable_name":
		r.Receiver = "$"
	case x.d.Language == "bash" && r.Role != Call && kind == "word":
		r.Role, r.Exact = String, true
	}
	if x.d.Language == "go" && kind == "type_identifier" {
		for _, a := range up[:min(len(up), 3)] { // an embedded field is both
			if a.kind == "field_declaration" && a.node.ChildByFieldName("name") == nil {
				x.out.Definitions = append(x.out.Definitions, x.member(at, up))
			}
		}
	}
	if strings.HasPrefix(kind, "shorthand_property_identifier") { // a key, and the variable of that name
		key := r
		key.Role = Key
		x.add(key, at, end, false)
	}
	if x.attribute(r, end, up) {
		m := x.member(at, up)
		for len(m.Scope) > 1 && m.Scope[len(m.Scope)-1] != r.Type {
			m.Scope = m.Scope[:len(m.Scope)-1]
		}
		x.out.Definitions = append(x.out.Definitions, m)
		return
	}
	if own, sure := x.literalKey(leaf, up); own {
		m := x.member(at, up)
		m.Inner = !sure
		if x.out.Definitions = append(x.out.Definitions, m); sure {
			return
		}
	}
	if defines(leaf, kind, up) && r.Receiver == "" {
		x.out.Definitions = append(x.out.Definitions, x.member(at, up))
		return
	}
	macro := x.d.Language == "rust" && strings.HasPrefix(text[end:], "!(")
	typeOnly := kind == "type_identifier" || defaulted(leaf, up)
	if r.Receiver == "" && r.Role != Import && !macro && !typeOnly {
		if s, ok := declares(leaf, up, x.d.Language); ok {
			x.scopes = append(x.scopes, s)
			r.Local = true
		}
	}
	x.add(r, at, end, typeOnly)
}

// typeComment matches a type in a comment of Python.
var typeComment = regexp.MustCompile(`^#\s*type:`)

// code reports whether an occurrence in a string or comment is code: an interpolation of Rust, a quoted annotation of
// Python, the method in a callable array of PHP.
func (x *extraction) code(r *Reference, at, end int, leaf tree.Node, up []ancestor) bool {
	text := x.text(leaf)
	before, after := x.d.Text[leaf.StartByte():at], x.d.Text[end:max(int(leaf.EndByte()), end)]
	switch x.d.Language {
	case "rust":
		if strings.Contains(leaf.Type(), "comment") {
			return false
		}
		open := strings.LastIndexByte(before, '{')
		if open < 0 || strings.IndexByte(before[open:], '}') >= 0 || strings.Count(before[:open+1], "{")-
			strings.Count(before[:open], "}") > 1 && strings.HasSuffix(before[:open], "{") {
			return false
		}
		return open == len(before)-1 || strings.HasPrefix(after, "$")
	case "python":
		if strings.Contains(leaf.Type(), "comment") {
			return typeComment.MatchString(text)
		}
		for _, a := range up[:min(len(up), 6)] {
			switch a.kind {
			case "type":
				return true
			case "assignment":
				return strings.HasPrefix(x.d.Text[a.node.StartByte():], "__all__")
			case "call":
				f := strings.TrimPrefix(x.text(child(a.node, "function")), "typing.")
				return f == "cast" || f == "ForwardRef" || f == "TypeVar"
			}
		}
	case "php":
		for _, a := range up[:min(3, len(up))] {
			if a.kind != "array_creation_expression" || a.node.NamedChildCount() != 2 {
				continue
			}
			first := x.text(a.node.NamedChild(0))
			class, ok := strings.CutSuffix(first, "::class")
			switch {
			case ok:
				r.Role, r.Receiver, r.Type = Call, class, class[strings.LastIndexByte(class, '\\')+1:]
			case first == "$this":
				r.Role, r.Receiver, r.Type = Call, "$this", x.classAround(at)
			case strings.Trim(first, `'"`) != first && within(leaf, a.node.NamedChild(1)): // ['Type', 'method']
				r.Role, r.Receiver, r.Type = Call, strings.Trim(first, `'"`), strings.Trim(first, `'"`)
			default:
				return false
			}
			return true
		}
	}
	return false
}

// column is the byte of an offset in its line, from 0.
func (x *extraction) column(at int) int { return at - 1 - strings.LastIndexAny(x.d.Text[:at], "\r\n") }

// text is a node's text.
func (x *extraction) text(n tree.Node) string {
	if n == nil {
		return ""
	}
	return x.d.Text[n.StartByte():n.EndByte()]
}

// child is a node's field.
func child(n tree.Node, field string) tree.Node {
	if n == nil {
		return nil
	}
	return n.ChildByFieldName(field)
}

// literals are the types of nodes of literals with keys, and the fields that name their types.
var literals = map[string]string{"composite_literal": "type", "struct_expression": "name"}

// literal is the type of the literal that a key is in; "" if the code does not say.
func (x *extraction) literal(up []ancestor) string {
	for _, a := range up {
		if n := child(a.node, literals[a.kind]); literals[a.kind] != "" && n != nil {
			name := generic(strings.TrimSpace(strings.TrimLeft(x.text(n), "[]*&")))
			return name[strings.LastIndexAny(name, ".:")+1:]
		}
	}
	return ""
}

// attribute reports whether an occurrence is where an object's attribute is first set: self.name = … in Python,
// this.name = … in JavaScript, @name = … in Ruby.
func (x *extraction) attribute(r Reference, end int, up []ancestor) bool {
	switch {
	case x.d.Language == "python" && r.Receiver == "self", x.d.Language == "javascript" && r.Receiver == "this",
		r.Receiver == "@":
	default:
		return false
	}
	rest := strings.TrimLeft(x.d.Text[end:], " \t")
	annotated := x.d.Language == "python" && strings.HasPrefix(rest, ":") && len(up) > 1 && up[1].kind == "assignment"
	if !annotated && (!strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "=>")) {
		return false
	}
	return r.Type != "" && !slices.ContainsFunc(x.out.Definitions,
		func(d Definition) bool { return slices.Contains(d.Scope, r.Type) })
}

func (x *extraction) add(r Reference, at, end int, typeOnly bool) {
	if r.Role != Comment && r.Role != String {
		r.In = x.around(at)
	}
	x.out.References = append(x.out.References, r)
	x.places = append(x.places, placed{at, end, typeOnly})
}

// markLocals marks what is in a function that declares the name for itself.
func (x *extraction) markLocals() {
	php := x.d.Language == "php"
	for i := range x.out.References {
		r, p := &x.out.References[i], x.places[i]
		if r.Receiver != "" || r.Role >= String || r.Role == Import || p.typeOnly {
			continue
		}
		dollar := php && p.start > 0 && x.d.Text[p.start-1] == '$'
		if r.Role == Key && !dollar || php && !dollar {
			continue
		}
		if rest := x.d.Text[p.end:]; x.d.Language == "rust" && strings.HasPrefix(rest, "!") &&
			!strings.HasPrefix(rest, "!=") {
			continue // a macro
		}
		for _, s := range x.scopes {
			r.Local = r.Local || s.start <= p.start && p.start < s.end
		}
		r.Local = r.Local || dollar
	}
}

// definition lays out a definition that chunk's rules found.
func (x *extraction) definition(m chunk.Definition) Definition {
	out := Definition{Name: m.Name, Scope: m.Scope, Kind: m.Kind, Top: min(m.Top, m.Line), Line: m.Line,
		Last: m.Last, NameLine: x.d.LineAt(m.At),
		Signature: x.d.Signature(m), Comment: x.d.Comment(m), Member: m.Member, Abstract: m.Abstract, Place: m.Place}
	if len(m.Scope) > 0 {
		for _, o := range x.d.Definitions {
			if o.Name == m.Scope[len(m.Scope)-1] && o.Start <= m.Start && m.End <= o.End && o.At != m.At {
				out.Inner = o.Kind == chunk.KindFunction || o.Kind == chunk.KindMethod && m.Kind != chunk.KindType
			}
		}
	}
	out.Default = x.l.Family == "javascript" && !m.Member && x.exportedWhole(m)
	return out
}

// member lays out a field that no rule of chunk's names.
func (x *extraction) member(at int, up []ancestor) Definition {
	const most = 160
	line := x.d.LineAt(at)
	m := Definition{Name: x.name, Scope: x.around(at), Kind: "field", Member: true,
		Top: line, Line: line, Last: line, NameLine: line, Column: x.column(at),
		Signature: strings.Join(strings.Fields(x.d.Line(line)), " ")}
	if len(m.Signature) > most {
		m.Signature = strings.ToValidUTF8(m.Signature[:most], "") + "…"
	}
	if n := len(m.Scope); n > 1 && (m.Scope[n-1] == "constructor" || m.Scope[n-1] == "__construct") {
		m.Scope = m.Scope[:n-1]
	}
	if len(up) > 0 && strings.Contains(up[0].kind, "variant") {
		m.Kind = "constant"
	}
	return m
}

// around are the definitions that an offset is in, outermost first.
func (x *extraction) around(at int) []string {
	if best := x.innermost(at); best != nil {
		return best.Path()
	}
	return nil
}

// innermost is the definition that an offset is in; nil without one.
func (x *extraction) innermost(at int) (best *chunk.Definition) {
	for i := range x.d.Definitions {
		m := &x.d.Definitions[i]
		if m.Start <= at && at < m.End && (best == nil || m.End-m.Start <= best.End-best.Start) {
			best = m
		}
	}
	return best
}

// ancestor is a node above an occurrence with its type.
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

// opens reports whether what follows a name calls it: "(", or "(" behind type arguments or a macro's sign.
func opens(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 200)], " \t")
	rest = strings.TrimPrefix(rest, "?.")
	for _, mark := range []string{"!", "::", "?"} {
		if t, ok := strings.CutPrefix(rest, mark); ok && t != "" && strings.ContainsAny(t[:1], "(<[{") {
			if rest = t; mark == "!" {
				return true
			}
		}
	}
	if rest == "" {
		return false
	}
	if rest[0] != '<' && rest[0] != '[' {
		return rest[0] == '('
	}
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
	return false
}

// calls reports whether an occurrence is called or constructed.
func (x *extraction) calls(at, end int, leaf tree.Node, up []ancestor) bool {
	if opens(x.d.Text[end:]) {
		return true
	}
	before := strings.TrimRight(x.d.Text[max(0, at-8):at], " \t")
	if strings.HasSuffix(before, "new") && x.d.Language != "go" {
		return true
	}
	if len(up) == 0 || !lang.BareCalls[up[0].kind] {
		return false
	}
	n, kind := up[0].node, up[0].kind
	if kind == "call" { // Ruby's method, Elixir's target
		m := n.ChildByFieldName("method")
		if m == nil {
			m = n.ChildByFieldName("target")
		}
		return m != nil && m.StartByte() == leaf.StartByte()
	}
	return n.StartByte() == leaf.StartByte() || kind == "command_name"
}

// keyed reports whether an occurrence names a field of a literal or an argument.
func keyed(rest string, up []ancestor) bool {
	rest = strings.TrimLeft(rest, " \t")
	if len(up) == 0 || rest == "" {
		return false
	}
	for _, a := range up[:min(len(up), 2)] {
		switch {
		case lang.Keyed[a.kind]:
			if rest[0] == ':' && !strings.HasPrefix(rest, "::") || rest[0] == '=' && !strings.HasPrefix(rest, "==") {
				return true
			}
		case lang.KeyedBy[a.kind]:
			return rest[0] == '='
		case a.kind == "shorthand_field_initializer":
			return true
		}
	}
	return false
}

// defines reports whether an occurrence names a field.
func defines(leaf tree.Node, kind string, up []ancestor) bool {
	if strings.Contains(kind, "type") && kind != "property_identifier" {
		return false
	}
	for _, a := range up[:min(len(up), 3)] {
		if a.kind == "required_parameter" && a.node.NamedChildCount() > 0 {
			first := a.node.NamedChild(0).Type() // constructor(private name: Type)
			return first == "accessibility_modifier" || first == "override_modifier"
		}
		if lang.Fields[a.kind] {
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
