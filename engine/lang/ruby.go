package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

func rubyConstant(r *Reading, it tree.Node) []Ident {
	if n := it.ChildByFieldName("left"); n != nil && n.Type() == "constant" {
		return r.one(n)
	}
	return nil
}

// rubyCalls are methods that define the names in their symbol arguments.
var rubyCalls = set(`attr_reader attr_writer attr_accessor define_method alias_method scope has_many belongs_to
	has_one delegate mattr_accessor cattr_accessor class_attribute let let!`)

// rubyCall returns the names that calls define: attributes by symbols, example groups by descriptions, tasks by name.
func rubyCall(r *Reading, it tree.Node) []Ident {
	method := r.text(it.ChildByFieldName("method"))
	args := it.ChildByFieldName("arguments")
	if args == nil {
		return nil
	}
	receiver := r.text(it.ChildByFieldName("receiver"))
	fields := receiver == "Struct" && method == "new" || receiver == "Data" && method == "define"
	if rubyCalls[method] || fields {
		var out []Ident
		for i := range min(int(args.NamedChildCount()), fewParts) {
			c := args.NamedChild(i)
			if c.Type() != "simple_symbol" {
				break
			}
			id := r.ident(c)
			out = append(out, Ident{Name: strings.TrimPrefix(id.Name, ":"), At: id.At + 1})
			if !fields && !strings.HasPrefix(method, "attr_") {
				break
			}
		}
		return out
	}
	if rubyTasks[method] && args.NamedChildCount() > 0 {
		name := args.NamedChild(0)
		if name.Type() == "pair" {
			name = name.NamedChild(0)
		}
		if t := name.Type(); t == "simple_symbol" || t == "hash_key_symbol" || t == "string" {
			id := unquote(r.ident(name))
			lead := len(id.Name) - len(strings.TrimLeft(id.Name, ":"))
			return []Ident{{Name: id.Name[lead:], At: id.At + lead}}
		}
	}
	if r.inLine(it) || !testCalls[method] {
		return nil
	}
	return r.described(args)
}

// rubyTasks are methods of Rake that define the task in their first argument.
var rubyTasks = set("task file multitask rule")

func rubyRequire(r *Reading, it tree.Node) Role {
	if BeginsWith(strings.TrimSpace(r.text(it)), "require ", "require_relative ", "require(", "load ") {
		return RoleHeader
	}
	return RoleCode
}
