package lang

import (
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

// scriptKey returns a NameFunc for property names. Computed properties have no name.
func scriptKey(field string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		n := it.ChildByFieldName(field)
		if n == nil || n.Type() == "computed_property_name" {
			return nil
		}
		id := unquote(r.ident(n))
		id.Elsewhere = id.Name == "constructor" // only a scope, because every class has one
		return []Ident{id}
	}
}

// scriptNamespace returns the names B, within A, and A of "namespace A.B".
func scriptNamespace(r *Reading, it tree.Node) []Ident {
	whole := unquote(r.ident(it.ChildByFieldName("name")))
	out := []Ident{whole.qualified(".")}
	if prefix := out[0].Prefix; len(prefix) > 0 && it.Type() == "internal_module" {
		out = append(out, Ident{Name: prefix[0], At: whole.At, Placeless: true})
	}
	return out
}

// isFunction reports whether n is a function or a call with one, such as memo(function …) or debounce(() => …).
func (r *Reading) isFunction(n tree.Node) bool {
	switch n.Type() {
	case "call_expression":
		return r.child(n.ChildByFieldName("arguments"), "arrow_function function_expression") != nil
	case "arrow_function", "function_expression", "generator_function", "class":
		return true
	}
	return false
}

// imports reports whether v is a call such as require("x").
func (r *Reading) imports(v tree.Node) bool {
	return strings.HasPrefix(strings.TrimSpace(r.text(v)), "require")
}

// scriptField returns a NameFunc for variables and class fields. It marks names whose values are functions.
func scriptField(field string) NameFunc {
	return func(r *Reading, it tree.Node) []Ident {
		n, v := it.ChildByFieldName(field), it.ChildByFieldName("value")
		switch {
		case r.imports(v):
			return nil
		case n.Type() == "array_pattern" || n.Type() == "object_pattern":
			return r.destructured(n, 0)
		case !strings.HasSuffix(n.Type(), "identifier"):
			return nil
		}
		id := r.ident(n)
		if id.Function = r.isFunction(v); !id.Function {
			id.Holder = v.NamedChild(0) != nil
			id.Object = r.isObject(v) && it.ChildByFieldName("type") == nil
		}
		return []Ident{id}
	}
}

func (r *Reading) destructured(n tree.Node, depth int) (out []Ident) {
	if t := n.Type(); t == "identifier" || t == "shorthand_property_identifier_pattern" {
		return r.one(n)
	}
	value := n.ChildByFieldName("right")
	for k := range r.kids(n) {
		if k != value && k.Type() != "computed_property_name" && depth < MaxDepth {
			out = append(out, r.destructured(k, depth+1)...)
		}
	}
	return out
}

// isObject reports whether v is an object literal, perhaps in parentheses, a cast or Object.freeze.
func (r *Reading) isObject(v tree.Node) bool {
	switch v.Type() {
	case "object":
		return true
	case "assignment_expression":
		return r.isObject(v.ChildByFieldName("right"))
	case "parenthesized_expression", "as_expression", "satisfies_expression", "arguments":
		return r.isObject(v.NamedChild(0))
	case "call_expression":
		return r.text(v.ChildByFieldName("function")) == "Object.freeze" && r.isObject(v.ChildByFieldName("arguments"))
	}
	return false
}

// scriptDefault returns a scope without a name for "export default { … }".
func scriptDefault(r *Reading, it tree.Node) []Ident {
	if r.Document && r.isObject(it.ChildByFieldName("value")) {
		return []Ident{{At: int(it.StartByte()), Silent: true}}
	}
	return nil
}

func scriptPair(r *Reading, it tree.Node) []Ident {
	out := scriptKey("key")(r, it)
	for i := range out {
		v, id := it.ChildByFieldName("value"), &out[i]
		id.Elsewhere = false
		if id.Function = r.isFunction(v); !id.Function {
			if !r.Document || v.NamedChild(0) == nil {
				return nil
			}
			id.Silent, id.Object = true, r.isObject(v)
		}
	}
	return out
}

// scriptAssignment returns the names defined by assignments, such as exports.x = …, X.prototype.y = function … and
// window.z = () => ….
func scriptAssignment(r *Reading, it tree.Node) []Ident {
	left, right := it.ChildByFieldName("left"), it.ChildByFieldName("right")
	if left.Type() != "member_expression" {
		return nil
	}
	id, fn := r.ident(left), r.isFunction(right)
	id.Function, id.Holder, id.Object = fn, !fn, !fn && r.isObject(right)
	id.Silent = !fn && !BeginsWith(id.Name, "exports.", "module.exports.")
	method := strings.Contains(id.Name, ".prototype.")
	if strings.ContainsAny(id.Name, "([\n") || id.Silent && !(r.Document && id.Object) ||
		fn && !method && right.ChildByFieldName("name") != nil { // the class or function has its own name
		return nil
	}
	id = id.qualified(".")
	n := len(id.Prefix)
	switch {
	case id.Silent && id.Name == "exports":
		id.Name = ""
	case id.Silent && id.Name == "prototype" && n > 0:
		id.Name, id.Prefix = id.Prefix[n-1], id.Prefix[:n-1]
	case fn && method && n > 1:
		id.Prefix = id.Prefix[n-2 : n-1]
	}
	id.Prefix = slices.DeleteFunc(id.Prefix, func(p string) bool { return globals[p] })
	return []Ident{id}
}

// globals are modules and global objects, which are not scopes of their properties.
var globals = Set(`module exports prototype window this self global globalThis`)
