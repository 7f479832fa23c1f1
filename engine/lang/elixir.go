package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

// elixirCall returns the names that calls such as defmodule and def define.
func elixirCall(r *Reading, it tree.Node) []Ident {
	args := r.child(it, "arguments")
	first := args.NamedChild(0)
	if first == nil {
		return nil
	}
	switch target := r.text(it.ChildByFieldName("target")); target {
	case "defmodule", "defprotocol", "defimpl":
		if first.Type() != "alias" {
			return nil
		}
		id := r.ident(first)
		id.Elsewhere = target == "defimpl"
		out := []Ident{id}
		if i := strings.LastIndexByte(id.Name, '.'); i >= 0 && !id.Elsewhere {
			// Users also search for "Cart" to find "Shop.Cart".
			out = append(out, Ident{Name: id.Name[i+1:], At: id.At + i + 1, Placeless: true})
		}
		return out
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
		id := r.ident(first) // such as "add(cart, item) when …"
		if i := strings.IndexAny(id.Name, "( \n,"); i > 0 {
			id.Name = id.Name[:i]
		}
		if id.Function = true; id.Name != "" && !strings.ContainsAny(id.Name, "%{[\"") {
			return []Ident{id}
		}
	case "test", "describe":
		if !r.inLine(it) {
			return r.described(args)
		}
	}
	return nil
}
