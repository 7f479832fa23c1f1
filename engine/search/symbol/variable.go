package symbol

import (
	"slices"
	"strconv"
	"strings"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/tree"
)

// binding is a place that declares a variable or gives it a value.
type binding struct {
	at, start, end int // the name; where it is visible
	leaf           tree.Node
	up             []ancestor
	declaring      int // of up
}

// Bounds on looking for a variable's declaration.
const (
	maxBindings = 300  // occurrences that are looked at
	maxComment  = 3000 // bytes before a function that its documentation may have
	maxAssigned = 40   // places that name a field of the own object
)

// variable is the type of a name that stands alone.
func (x *extraction) variable(n tree.Node, depth int) Expr {
	name := strings.TrimLeft(x.text(n), "$&*")
	at := int(n.StartByte())
	switch name {
	case "":
		return nil
	case "this", "self", "Self", "cls", "static":
		if own := x.own(n); own != nil {
			return own
		}
	case "super", "parent", "base":
		if own := x.own(n); own != nil {
			return own.step("^")
		}
	}
	if t := x.narrowed(n, name); t != "" {
		return typed(t)
	}
	if b := x.binding(name, at); b != nil {
		return x.bound(b, name, at, depth)
	}
	if bareMembers[x.d.Language] || family(x.d.Language) == "java" {
		if owner := x.classAround(at); owner != "" {
			return Expr{bareRoot + owner + " " + name}
		}
	}
	return Expr{valueRoot + name}
}

// binding finds the declaration that a use of a name at an offset sees; nil if the file has none in what is around.
func (x *extraction) binding(name string, at int) *binding {
	start, end := x.functionAround(at)
	if found := nearest(x.bindings(name, start, end), at); found != nil || start == 0 && end == len(x.d.Text) {
		return found
	}
	for _, b := range x.bindings(name, 0, len(x.d.Text)) { // of the file
		if b.start == 0 && b.end == len(x.d.Text) {
			return b
		}
	}
	return nil
}

// nearest is the declaration that a use sees: the last before it, or else the first behind it.
func nearest(list []*binding, at int) *binding {
	var best *binding
	for _, b := range list {
		if b.start <= at && at < b.end && (b.at <= at || best == nil) {
			best = b
		}
	}
	return best
}

// functionAround is the range of the outermost function around an offset, or the whole file.
func (x *extraction) functionAround(at int) (start, end int) {
	start, end = 0, len(x.d.Text)
	for _, m := range x.d.Definitions {
		if (m.Kind == chunk.KindFunction || m.Kind == chunk.KindMethod) && m.Start <= at && at < m.End &&
			m.End-m.Start < end-start {
			if start == 0 && end == len(x.d.Text) || m.Start <= start {
				start, end = m.Start, m.End
			}
		}
	}
	return start, end
}

// bindings are the declarations of a name in a range, in the order of the file.
func (x *extraction) bindings(name string, from, to int) []*binding {
	key := name + "@" + strconv.Itoa(from)
	if known, ok := x.declared[key]; ok {
		return known
	}
	var out []*binding
	n := 0
	for at := from; at < to && n < maxBindings; {
		i := strings.Index(x.d.Text[at:to], name)
		if i < 0 {
			break
		}
		at += i
		here := at
		at += len(name)
		if !wordAt(x.d.Text, here, len(name)) || here > 0 && x.d.Text[here-1] == '.' || reaches(x.d.Text[at:]) {
			continue
		}
		n++
		leaf := x.d.Root.Named(here, here+len(name))
		if leaf == nil || int(leaf.EndByte()-leaf.StartByte()) > len(name)+1 {
			continue
		}
		up := climb(leaf)
		declaring, ok := declaration(leaf, up, x.d.Language)
		if !ok {
			continue
		}
		b := &binding{at: here, leaf: leaf, up: up, declaring: declaring}
		b.start, b.end = visible(up[declaring:], x.d.Language, len(x.d.Text))
		out = append(out, b)
	}
	if x.declared == nil {
		x.declared = map[string][]*binding{}
	}
	x.declared[key] = out
	return out
}

// reaches reports whether what follows a name reaches a member of it: no declaration does.
func reaches(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 8)], " ")
	return strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "->") ||
		strings.HasPrefix(rest, "::") ||
		strings.HasPrefix(rest, "?.")
}

// visible is where a declaration is seen: the block or function around it.
func visible(up []ancestor, language string, size int) (start, end int) {
	n := up[0].node
	for range 4 * maxClimb {
		kind := n.Type()
		if functional(kind) || language != "python" && blockish(kind) {
			return int(n.StartByte()), int(n.EndByte())
		}
		if n = n.Parent(); n == nil {
			break
		}
	}
	return 0, size
}

// blockish reports whether a type of node limits where a variable is seen.
func blockish(kind string) bool {
	switch kind {
	case "if_expression", "match_arm", "type_switch_statement", "expression_switch_statement", "catch_clause",
		"if_statement", "closure_expression":
		return true
	}
	return strings.HasSuffix(kind, "block") || kind == "compound_statement" || strings.HasPrefix(kind,
		"for") && kind != "for_clause" && !strings.HasPrefix(kind, "formal_parameter") ||
		kind == "expression_case" || kind == "type_case" || kind == "enhanced_for_statement" ||
		kind == "try_with_resources_statement"
}

// guessed are words in place of a type that is to be had from the value.
var guessed = wordSet("var auto val let const final dynamic auto& auto* :=")

// typeOfNode is the type that a node writes down, "" if it does not.
func (x *extraction) typeOfNode(n tree.Node, leaf tree.Node) string {
	t := child(n, "type")
	if t == nil {
		for i := range min(int(n.NamedChildCount()), 6) { // grammars without fields
			c := n.NamedChild(i)
			switch c.Type() {
			case "user_type", "nullable_type", "type_annotation", "non_nullable_type":
				t = c
			}
		}
	}
	if t == nil || within(leaf, t) {
		return ""
	}
	text := strings.TrimSpace(strings.TrimLeft(x.text(t), ": \t"))
	if guessed[text] || strings.HasPrefix(text, "auto") {
		return ""
	}
	return text
}

// bound is the type that a declaration gives a name.
func (x *extraction) bound(b *binding, name string, use, depth int) Expr {
	if depth > maxInfer {
		return nil
	}
	a := b.up[b.declaring]
	steps, index := x.taken(b)
	with := func(e Expr) Expr {
		for _, s := range steps {
			e = e.step(s)
		}
		return e
	}
	for _, in := range b.up[:min(b.declaring+1, len(b.up))] {
		if t := x.typeOfNode(in.node, b.leaf); t != "" && in.kind != "type_switch_statement" {
			if in.kind == "variadic_parameter_declaration" || in.kind == "spread_parameter" {
				t = "[]" + t
			}
			return with(typed(t))
		}
	}
	if strings.HasSuffix(a.kind, "declarator") && b.declaring+1 < len(b.up) {
		if t := x.typeOfNode(b.up[b.declaring+1].node, b.leaf); t != "" {
			return with(typed(t))
		}
	}
	switch a.kind {
	case "type_switch_statement":
		return x.switched(a.node, use, depth)
	case "range_clause":
		if index == 1 {
			return x.infer(child(a.node, "right"), depth).step("[]")
		}
		return nil
	case "for_statement", "for_in_clause", "for_in_statement", "for_expression", "for_range_loop", "foreach_statement",
		"enhanced_for_statement", "for_each_statement":
		return with(x.element(a.node, index, depth))
	case "as_pattern_target":
		if b.declaring+1 < len(b.up) {
			e := x.infer(b.up[b.declaring+1].node, depth)
			if b.declaring+2 < len(b.up) && strings.HasPrefix(b.up[b.declaring+2].kind, "except") {
				return typed(x.text(child(b.up[b.declaring+1].node, "0")))
			}
			return e
		}
	case "short_var_declaration", "assignment_statement", "var_spec":
		return x.assigned(child(a.node, "right|value"), index, depth)
	case "match_pattern":
		for _, up := range b.up[b.declaring:] {
			if up.kind == "match_expression" {
				return with(x.infer(child(up.node, "value"), depth))
			}
		}
		return nil
	}
	if t := x.documented(b, name); t != "" {
		return with(typed(t))
	}
	if v := child(a.node, "value|right|default_value|initializer"); v != nil && !within(b.leaf, v) {
		if index > 0 && len(steps) == 0 {
			return x.assigned(v, index, depth)
		}
		return with(x.infer(v, depth))
	}
	if a.kind == "variable_declarator" || a.kind == "property_declaration" || a.kind == "variable_declaration" {
		holder := a.node
		if a.kind == "variable_declaration" && b.declaring+1 < len(b.up) {
			holder = b.up[b.declaring+1].node
		}
		if n := int(holder.NamedChildCount()); n > 1 { // Kotlin, C#
			if v := holder.NamedChild(n - 1); v.StartByte() > b.leaf.EndByte() {
				if v.Type() == "equals_value_clause" {
					v = child(v, "0")
				}
				return with(x.infer(v, depth))
			}
		}
	}
	return nil
}

// taken is what a pattern takes of the value for a name, and the name's place in a list.
func (x *extraction) taken(b *binding) (steps []string, index int) {
	inner := b.leaf
	if b.leaf.Type() == "shorthand_property_identifier_pattern" {
		steps = append(steps, "."+x.text(b.leaf))
	}
	for _, a := range b.up[:b.declaring] {
		switch a.kind {
		case "pair_pattern":
			if k := child(a.node, "key"); k != nil {
				steps = append(steps, "."+x.text(k))
			}
		case "array_pattern", "slice_pattern", "list_pattern":
			steps = append(steps, "[]")
		case "expression_list", "identifier_list", "pattern_list", "tuple_pattern", "left_assignment_list", "variable_list":
			index = place(a.node, inner)
		case "field_pattern":
			if k := child(a.node, "name"); k != nil {
				steps = append(steps, "."+x.text(k))
			}
		}
		inner = a.node
	}
	switch a := b.up[b.declaring]; a.kind {
	case "parameters", "formal_parameters", "lambda_parameters", "closure_parameters", "method_parameters",
		"block_parameters", "parameter_list", "inferred_parameters":
		index = place(a.node, inner)
	}
	slices.Reverse(steps)
	return steps, index
}

// place is which of a node's named children holds another node.
func place(list, n tree.Node) int {
	for i := range min(int(list.NamedChildCount()), 12) {
		if within(n, list.NamedChild(i)) {
			return i
		}
	}
	return 0
}

// assigned is the type of the value with a place in a list of values, or of a call's results.
func (x *extraction) assigned(v tree.Node, index, depth int) Expr {
	if v == nil {
		return nil
	}
	if v.Type() == "expression_list" {
		if int(v.NamedChildCount()) > index && v.NamedChildCount() > 1 {
			return x.infer(v.NamedChild(index), depth)
		}
		v = v.NamedChild(0)
	}
	e := x.infer(v, depth)
	if index == 0 {
		return e
	}
	if n := len(e); n > 1 && e[n-1] == "()" {
		e = slices.Clone(e)
		e[n-1] += string(rune('0' + index))
		return e
	}
	return nil
}

// element is the type of what a loop runs over.
func (x *extraction) element(loop tree.Node, index, depth int) Expr {
	over := child(loop, "right|value|collection|iterable|1")
	if over == nil {
		return nil
	}
	return x.infer(over, depth).step("[]")
}

// switched is the type of Go's variable in a type switch: that of the case, if it names one.
func (x *extraction) switched(sw tree.Node, use, depth int) Expr {
	for i := range int(sw.NamedChildCount()) {
		c := sw.NamedChild(i)
		if c.Type() != "type_case" || use < int(c.StartByte()) || use >= int(c.EndByte()) {
			continue
		}
		t := child(c, "type")
		if t == nil {
			return nil
		}
		text := x.text(t)
		if rest := strings.TrimLeft(x.d.Text[t.EndByte():], " \t\n"); strings.HasPrefix(rest, ",") {
			return x.infer(child(sw, "value"), depth)
		}
		return typed(text)
	}
	return x.infer(child(sw, "value"), depth)
}

// iterating are methods that hand a collection's elements to a function.
var iterating = wordSet(`forEach map filter some every find findIndex flatMap each select reject for_each any all
	inspect filter_map find_map position max_by_key min_by_key sort_by_key retain detect collect sort then`)

func digit(n int) string { return string(rune('0' + min(n, 9))) }

// documented is the type that PHPDoc gives a parameter.
func (x *extraction) documented(b *binding, name string) string {
	for _, a := range b.up[b.declaring:] {
		if x.d.Language == "php" && functional(a.kind) {
			return phpTagged(x.commentBefore(int(a.node.StartByte())), "param", name)
		}
	}
	return ""
}

// commentBefore is the comment that ends where only modifiers stand before an offset, "" without one.
func (x *extraction) commentBefore(at int) string {
	before := x.d.Text[max(0, at-maxComment):at]
	line := strings.LastIndex(before, "*/")
	if line < 0 || strings.ContainsAny(before[line+2:], ";{}()") || len(before)-line > 100 {
		return ""
	}
	begin := strings.LastIndex(before[:line], "/*")
	if begin < 0 {
		return ""
	}
	return before[begin:line]
}

// phpTagged is the type in a tag of PHPDoc: @param Type $name, @var Type, @return Type.
func phpTagged(comment, tag, name string) string {
	for line := range strings.Lines(comment) {
		_, rest, ok := strings.Cut(line, "@"+tag+" ")
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		if len(words) == 0 || name != "" && (len(words) < 2 || strings.TrimLeft(words[1], "&.$") != name) {
			continue
		}
		return words[0]
	}
	return ""
}

// assignedLater is the type of what a type's own code first gives a field that says nothing of its type.
func (x *extraction) assignedLater(name string) Expr {
	self := "this."
	switch {
	case x.d.Language == "php":
		self = "$this->"
	case family(x.d.Language) != "javascript":
		return nil
	}
	from := 0
	for range maxAssigned {
		i := strings.Index(x.d.Text[from:], self+name)
		if i < 0 {
			break
		}
		at := from + i + len(self)
		from = at + len(name)
		rest := strings.TrimLeft(x.d.Text[from:], " ")
		if !wordAt(x.d.Text, at, len(name)) || !strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") {
			continue
		}
		leaf := x.d.Root.Named(at, at+len(name))
		if leaf == nil {
			continue
		}
		for _, a := range climb(leaf) {
			if a.kind == "assignment_expression" {
				if e := x.infer(child(a.node, "right"), 0); e != nil && !nothing[e[0]] {
					return e
				}
				break
			}
		}
	}
	return nil
}

// nothing are the roots of what stands for no value.
var nothing = map[string]bool{"VNone": true, "Vnull": true, "Vundefined": true}

// gives is the type of a field or variable that a definition defines, or of what a function gives.
func (x *extraction) gives(leaf tree.Node, up []ancestor) Expr {
	for i, a := range up[:min(len(up), 6)] {
		t := child(a.node, "result|return_type|returns|type")
		if t == nil && (a.kind == "function_declaration" || a.kind == "class_parameter" || a.kind == "variable_declaration") {
			for j := range min(int(a.node.NamedChildCount()), 8) { // Kotlin
				if c := a.node.NamedChild(j); (c.Type() == "user_type" || c.Type() == "nullable_type") &&
					c.StartByte() > leaf.EndByte() {
					t = c
				}
			}
		}
		if t != nil && !within(leaf, t) {
			if text := strings.TrimSpace(strings.TrimLeft(x.text(t), ": \t")); !guessed[text] &&
				!strings.HasPrefix(text, "auto ") {
				return typed(text)
			}
		}
		if x.d.Language == "php" && a.kind == "property_declaration" {
			if t := phpTagged(x.commentBefore(int(a.node.StartByte())), "var", ""); t != "" {
				return typed(t)
			}
		}
		if functional(a.kind) || a.kind == "function_definition" || a.kind == "method_definition" {
			if x.d.Language == "php" {
				if t := phpTagged(x.commentBefore(int(a.node.StartByte())), "return", ""); t != "" {
					return typed(t)
				}
			}
			return x.returned(a.node)
		}
		if v := child(a.node, "value|right"); v != nil && !within(leaf, v) {
			if k := v.Type(); functional(k) {
				if t := child(v, "return_type"); t != nil {
					return typed(strings.TrimLeft(x.text(t), ": "))
				}
				return x.returned(v)
			}
			b := &binding{leaf: leaf, up: up, declaring: i}
			steps, index := x.taken(b)
			e := x.infer(v, 0)
			if index > 0 {
				e = x.assigned(v, index, 0)
			}
			for _, s := range steps {
				e = e.step(s)
			}
			return e
		}
		if strings.HasSuffix(a.kind, "declaration") || strings.HasSuffix(a.kind, "definition") || strings.HasSuffix(a.kind,
			"_spec") || strings.HasSuffix(a.kind, "statement") {
			break
		}
	}
	return nil
}

// returned is the type of what a function without a declared result returns.
func (x *extraction) returned(fn tree.Node) Expr {
	body := child(fn, "body")
	if body == nil {
		return nil
	}
	if k := body.Type(); k != "statement_block" && k != "block" && k != "compound_statement" && k != "body_statement" {
		return x.infer(body, 0)
	}
	text := x.d.Text[body.StartByte():body.EndByte()]
	for from, n := 0, 0; n < 6; n++ {
		i := strings.Index(text[from:], "return ")
		if i < 0 {
			return nil
		}
		at := int(body.StartByte()) + from + i
		from += i + len("return ")
		ret := x.d.Root.Named(at, at+len("return"))
		if ret == nil || ret.Type() != "return_statement" || ret.NamedChildCount() == 0 {
			continue
		}
		if s, ok := function([]ancestor{{ret, "return_statement"}}, x.d.Language); !ok || s.start != int(fn.StartByte()) {
			continue
		}
		if e := x.infer(ret.NamedChild(0), 0); e != nil && !nothing[e[0]] {
			return e
		}
	}
	return nil
}

// basesOf are the types that a type is made from: what it extends, implements or embeds, and what an alias stands for.
func (x *extraction) basesOf(m chunk.Definition) []string {
	text := x.d.Text[min(m.At+len(x.name), len(x.d.Text)):min(m.End, len(x.d.Text))]
	if len(text) > 20000 {
		text = text[:20000]
	}
	return bases(text, x.d.Language)
}
