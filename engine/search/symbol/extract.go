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

const (
	maxPlaces    = 2000
	maxTypedText = 256 << 10 // maximum size in bytes of an unparsed file in which types are inferred
	maxField     = 160       // maximum length of a field's signature
	maxTag       = 400       // bytes before an occurrence that are searched for the start of a tag or brace
)

// Extract finds the definitions and uses of name in d, but not its imports. If name is empty, it finds all definitions.
func Extract(d *chunk.Document, name string) File {
	x := &extraction{d: d, name: name, l: lang.Of(d.Language), receivers: map[string]string{}}
	if name == "" {
		for _, m := range d.Definitions {
			if !m.Container {
				x.out.Definitions = append(x.out.Definitions, x.definition(m))
			}
		}
		return x.out
	}
	found := x.l.Occurrences(d.Text, name, maxPlaces)
	if len(found) > 0 && d.Root == nil {
		last := found[len(found)-1][1]
		line, _, _ := strings.Cut(d.Text[last:], "\n")
		x.roles, x.texts = chunk.Lines(d.Text[:last+len(line)], d.Language, 1), x.l.Tokens(d.Text, last)
	}
	for _, at := range found {
		x.place(at[0], at[1])
	}
	for _, m := range d.Definitions { // such as "&__price", which defines "card__price" in SCSS
		if lang.TrimSigils(m.Name) == name && strings.HasPrefix(d.Text[m.At:], "&") {
			m.Name, m.Scope = name, nil
			x.out.Definitions = append(x.out.Definitions, x.definition(m))
		}
	}
	x.markLocals()
	return x.out
}

type extraction struct {
	d         *chunk.Document
	l         *lang.Language
	name      string
	out       File
	roles     []chunk.LineRole  // kinds of the lines; nil if the file was parsed
	texts     []lang.Token      // strings and comments; nil if the file was parsed
	receivers map[string]string // inferred types by receiver
	scopes    []placed          // functions that declare the name as a parameter or variable
	places    []placed          // positions of out.References
	defaults  map[string]bool   // names of default exports
}

// placed is the position of a reference. typeOnly is true if the reference can't be a local variable.
type placed struct {
	start, end int
	typeOnly   bool
}

func (x *extraction) place(at, end int) {
	var leaf tree.Node
	if x.d.Root != nil {
		leaf = x.d.Root.Named(at, end)
	}
	// In C, an enumerator's name before a parenthesis is a macro call.
	if m := x.defined(at, end); m != nil && !(m.Kind == "constant" && x.l.Visibility == lang.Included &&
		strings.HasPrefix(x.d.Text[end:], "(")) {
		d := x.definition(*m)
		d.Name, d.Column = x.d.Text[at:end], x.column(at)
		if m.Container && (m.Kind == "namespace" || m.Kind == chunk.KindValue) {
			x.out.Definitions = append(x.out.Definitions, d)
		}
		if !m.Container { // an impl block in Rust, for example, only uses the name
			x.out.Definitions = append(x.out.Definitions, d)
			if leaf != nil && x.l.Occurrence(x.d.Text, leaf, at, end).Shorthand {
				x.add(Reference{Line: d.NameLine, Column: d.Column, Role: Key}, at, end, false)
			}
			return
		}
	}
	r := Reference{Line: x.d.LineAt(at), Column: x.column(at)}
	switch {
	case !x.d.Code(at):
		x.inPage(r, at, end)
	case x.d.Root == nil:
		x.inLine(r, at, end)
	case leaf != nil:
		x.inTree(r, x.l.Occurrence(x.d.Text, leaf, at, end))
	}
}

// defined returns the definition whose name is at the given offsets, or nil.
func (x *extraction) defined(at, end int) (place *chunk.Definition) {
	for i := range x.d.Definitions {
		m := &x.d.Definitions[i]
		lead := at - m.At
		if lead < 0 || lead > len(m.Name) || !strings.HasPrefix(m.Name[lead:], x.d.Text[at:end]) {
			continue
		}
		before, after := m.Name[:lead], m.Name[lead+end-at:]
		next, _ := utf8.DecodeRuneInString(after)
		if (after == "" || !lang.WordRune(next) && (m.Kind == "namespace" || !lang.BeginsWith(after, "::", "."))) &&
			(strings.Trim(strings.TrimPrefix(before, "operator"), lang.Sigils+" ") == "" ||
				strings.ContainsAny(before[lead-1:], `:.#\`)) {
			if !m.Container {
				return m
			}
			place = m
		}
	}
	return place
}

// inLine classifies an occurrence in a file without a syntax tree by its line.
func (x *extraction) inLine(r Reference, at, end int) {
	text := x.d.Text
	r.Role, r.Exact = x.textRole(at, end)
	if r.Role != Comment && slices.ContainsFunc(x.d.Definitions, func(m chunk.Definition) bool {
		return m.Name == x.name && m.Top <= r.Line && r.Line < x.d.LineAt(m.At) && at < m.At
	}) {
		return // part of the definition, such as its type on an earlier line
	}
	if from := at - r.Column; x.l.Category == lang.Code && blockEnd.MatchString(text[from:at]) {
		return
	}
	switch {
	case r.Role != Mention:
	case len(text) <= maxTypedText:
		r.Receiver, r.Type = x.receiver(at)
	default:
		r.Receiver = strings.Join(chainBefore(text, at, x.l), ".")
	}
	if header := r.Line <= len(x.roles) && x.roles[r.Line-1] == chunk.LineHeader; r.Role == Mention && header {
		r.Role = Import
	} else if r.Role == Mention && opens(text[end:]) {
		r.Role = Call
	}
	x.add(r, at, end, false)
}

// inPage classifies an occurrence in markup. Inside a tag, braces or a Razor expression, the occurrence refers to a
// name. Elsewhere, the occurrence is a string.
func (x *extraction) inPage(r Reference, at, end int) {
	before := x.d.Text[max(0, at-maxTag):at]
	razor := strings.LastIndexByte(before, '@') // start of a Razor expression such as "@Model.Name", or -1
	tag := strings.LastIndexByte(before, '<') > strings.LastIndexByte(strings.ReplaceAll(before, "=>", "  "), '>')
	switch {
	case !tag && strings.LastIndexByte(before, '{') <= strings.LastIndexByte(before, '}') && !strings.HasSuffix(
		strings.TrimRight(before, " ."), "@") && (razor < 0 || strings.ContainsAny(before[razor:], " \t\n<")):
		r.Role = String
	case opens(x.d.Text[end:]):
		r.Role = Call
	}
	r.Receiver, r.Page = strings.Join(chainBefore(x.d.Text, at, x.l), "."), true
	x.add(r, at, end, false)
}

// blockEnd matches the words before the name in a line such as "end type Plate".
var blockEnd = regexp.MustCompile(`(?i)^\s*end\b[\w\s:]*$`)

// textRole returns Comment, String or Mention for an occurrence in a file without a syntax tree.
func (x *extraction) textRole(at, end int) (role Role, exact bool) {
	i, _ := slices.BinarySearchFunc(x.texts, at, func(t lang.Token, at int) int { return t.End - 1 - at })
	in := i < len(x.texts) && x.texts[i].Start <= at
	switch {
	case x.l.Category == lang.Prose, in && x.texts[i].Comment:
		return Comment, false
	case x.l.Category == lang.Data:
		return String, true
	case in: // a name after "$", "${" or "$(" is interpolated
		lead := strings.TrimRight(x.d.Text[x.texts[i].Start:at], "(")
		return String, strings.HasSuffix(lead, "$") || strings.HasSuffix(lead, "{") ||
			isName(strings.Trim(x.d.Text[x.texts[i].Start:x.texts[i].End], "\"'`"))
	}
	return Mention, false
}

var tag, classes = regexp.MustCompile(`@[A-Za-z]+[ \t]+$`), regexp.MustCompile(`\bclass(?:Name)?=\{?["'][^"'<>]*$`)

// nameString matches a string that can be a name, such as "cart", "shop.cart" or "[]Cart".
var nameString = regexp.MustCompile(`^[\pL\pN_$@#:.,/\\|&\[\](){}<>=*?!~^+-]*$`)

func isName(s string) bool { return len(s) < 200 && nameString.MatchString(s) }

// inTree classifies an occurrence by its ancestors in the syntax tree.
func (x *extraction) inTree(r Reference, o *lang.Occurrence) {
	at, end := o.Start, o.End
	if o.Page { // the markup of a Blade template
		x.inPage(r, at, end)
		return
	}
	if o.Textual {
		code, class := false, ""
		if x.l.Quoted != nil {
			code, class = x.l.Quoted(o)
		}
		if !code {
			r.Role = String
			if o.Comment { // a name after a tag such as @dataProvider is exact
				r.Role, r.Exact = Comment, tag.MatchString(x.d.Text[max(0, at-60):at])
			} else {
				r.Exact = isName(strings.Trim(o.Leaf, "'\"`:brf")) || classes.MatchString(x.d.Text[max(0, at-maxTag):at])
			}
			x.add(r, at, end, false)
			return
		}
		if class != "" { // the string names the method of a callable
			r.Role, r.Receiver, r.Type = Call, class, class[strings.LastIndexByte(class, '\\')+1:]
			if selfWords[class] {
				r.Type = x.classAround(at)
			}
		}
	}
	switch {
	case r.Role == Call:
	case o.Imports():
		r.Role = Import
	case opens(x.d.Text[end:]) || o.Calls():
		r.Role = Call
	case o.Keyed():
		r.Role = Key
	}
	if r.Receiver == "" {
		r.Receiver, r.Type = x.receiver(at)
	}
	if r.Role == Key && (r.Receiver == "" || r.Receiver == "?") {
		r.Type = o.LiteralType()
	}
	switch {
	case r.Role == Key && r.Receiver == "?": // .name = in C
		r.Receiver = ""
	case o.Symbol:
		r.Receiver = "?"
	case o.Variable:
		r.Receiver = "$"
	case o.Word && r.Role != Call:
		r.Role, r.Exact = String, true
	}
	if o.Embeds() {
		x.out.Definitions = append(x.out.Definitions, x.member(at))
	}
	if o.Shorthand {
		key := r
		key.Role = Key
		x.add(key, at, end, false)
	}
	if r.Receiver != "" && r.Receiver == x.l.Self && r.Type != "" && o.SetsAttribute() && !slices.ContainsFunc(
		x.out.Definitions, func(d Definition) bool { return slices.Contains(d.Scope, r.Type) }) {
		// the first assignment of an attribute, as in "self.name = …" in Python
		m := x.member(at)
		for len(m.Scope) > 1 && m.Scope[len(m.Scope)-1] != r.Type {
			m.Scope = m.Scope[:len(m.Scope)-1]
		}
		x.out.Definitions = append(x.out.Definitions, m)
		return
	}
	if own, sure := o.Key(); own {
		m := x.member(at)
		m.Inner = !sure
		if x.out.Definitions = append(x.out.Definitions, m); sure {
			return
		}
	}
	if r.Receiver == "" && o.Field() {
		x.out.Definitions = append(x.out.Definitions, x.member(at))
		return
	}
	typeOnly := o.TypeOnly()
	if macro := x.l.Bang && strings.HasPrefix(x.d.Text[end:], "!("); r.Receiver == "" && r.Role != Import && !macro &&
		!typeOnly {
		if start, end, ok := o.Declares(); ok {
			x.scopes = append(x.scopes, placed{start: start, end: end})
			r.Local = true
		}
	}
	x.add(r, at, end, typeOnly)
}

func (x *extraction) column(at int) int { return at - 1 - strings.LastIndexAny(x.d.Text[:at], "\r\n") }

func (x *extraction) add(r Reference, at, end int, typeOnly bool) {
	if r.Role != Comment && r.Role != String {
		r.In = x.innermost(at).Path()
	}
	x.out.References = append(x.out.References, r)
	x.places = append(x.places, placed{at, end, typeOnly})
}

// markLocals marks references to parameters and variables of the enclosing functions.
func (x *extraction) markLocals() {
	for i := range x.out.References {
		r, p := &x.out.References[i], x.places[i]
		if r.Receiver != "" || r.Role >= String || r.Role == Import || p.typeOnly {
			continue
		}
		dollar := x.l.Dollar && p.start > 0 && x.d.Text[p.start-1] == '$'
		rest := x.d.Text[p.end:]
		if r.Role == Key && !dollar || x.l.Dollar && !dollar ||
			x.l.Bang && strings.HasPrefix(rest, "!") && !strings.HasPrefix(rest, "!=") {
			continue
		}
		r.Local = r.Local || dollar ||
			slices.ContainsFunc(x.scopes, func(s placed) bool { return s.start <= p.start && p.start < s.end })
	}
}

func (x *extraction) definition(m chunk.Definition) Definition {
	out := Definition{Definition: m, NameLine: x.d.LineAt(m.At), Signature: x.d.Signature(m), Comment: x.d.Comment(m)}
	out.Top = min(m.Top, m.Line)
	if len(m.Scope) > 0 {
		for _, o := range x.d.Definitions {
			if o.Name == m.Owner() && o.Start <= m.Start && m.End <= o.End && o.At != m.At {
				out.Inner = o.Kind == chunk.KindFunction || o.Kind == chunk.KindMethod && m.Kind != chunk.KindType
			}
		}
	}
	out.Default = x.l.Imports == lang.ImportScript && !m.Member && x.exportedWhole(m)
	return out
}

// member returns a definition for a field that package chunk does not find.
func (x *extraction) member(at int) Definition {
	line := x.d.LineAt(at)
	m := Definition{Definition: chunk.Definition{Name: x.name, Scope: x.innermost(at).Path(), Kind: "field", Member: true,
		Top: line, Line: line, Last: line}, NameLine: line, Column: x.column(at)}
	m.Signature = chunk.Shorten(strings.Join(strings.Fields(x.d.Line(line)), " "), maxField)
	if owner := m.Owner(); len(m.Scope) > 1 && (owner == "constructor" || owner == "__construct") {
		m.Scope = m.Scope[:len(m.Scope)-1]
	}
	return m
}

// innermost returns the innermost definition around an offset, or a zero Definition.
func (x *extraction) innermost(at int) (best chunk.Definition) {
	size := len(x.d.Text)
	for i := range x.d.Definitions {
		m := &x.d.Definitions[i]
		if m.Start <= at && at < m.End && m.At != at && m.End-m.Start <= size {
			best, size = *m, m.End-m.Start
		}
	}
	return best
}

// called matches the text between the name of a called function and its parenthesis, such as "<T>" or "!".
var called = func() *regexp.Regexp {
	const inner = `[^<>\[\];\n{"=&|]*`
	angles, squares := `<`+inner+`(?:<`+inner+`>`+inner+`)*>`, `\[`+inner+`(?:\[`+inner+`\]`+inner+`)*\]`
	return regexp.MustCompile(`^[ \t]*(?:![(<\[{]|(?:\?\.|::|\?)?(?:` + angles + `|` + squares + `)?\()`)
}()

// opens reports whether the text after a name begins a call.
func opens(rest string) bool { return called.MatchString(rest[:min(len(rest), 200)]) }
