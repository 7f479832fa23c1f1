package search

import (
	"testing"

	"searchmcp/engine/api"
)

func TestDefinesType(t *testing.T) {
	for _, tc := range []struct {
		language, text string
		want           bool
	}{
		{"rust", "pub trait Cart<T>: Clone {", true},
		{"rust", "impl<T> Cart for Basket<T> {", false},
		{"rust", "pub struct Carts;\npub struct Cart(pub String);", true},
		{"rust", "pub use cart::Cart;", false},
		{"rust", "impl Shop for Basket {\n    type Cart = Basket;", false},
		{"rust", "pub type Cart = Basket;", true},
		{"java", "public final class Basket extends Cart {", false},
		{"java", "public @interface Cart {", false}, // "@interface" is no keyword here; its symbol still counts
		{"java", "/**\n * the class Cart\n */\nclass Basket {", false},
		{"kotlin", "enum class Cart(val size: Int)", true},
		{"swift", "extension Cart: Codable {", false},
		{"swift", "public protocol Cart: AnyObject {", true},
		{"scala", "final case class Cart private[shop] (size: Int)", true},
		{"elixir", "defmodule Shop.Web.Cart do", true},
		{"elixir", "defimpl Shop.Cart, for: Map do", false},
		{"elixir", "alias Shop.Cart", false},
		{"go", "type (\n\tCart struct {", true},
		{"go", "func (c *Cart) Cart() Cart {", false},
		{"go", "type Cart = shop.Cart", true},
		{"cpp", "class SHOP_EXPORT Cart final : public Basket {", true},
		{"cpp", "class Cart;", false},
		{"cpp", "  friend class Cart;", false},
		{"cpp", "struct Cart* next;", false},
		{"c", "typedef struct Cart Cart;", false},
		{"c", "typedef struct Cart {", true},
		{"c", "typedef struct {\n  int n;\n} Cart;", true},
		{"c", "typedef unsigned Cart;", true},
		{"c", "struct Cart *open(void);", false},
		{"typescript", "export default abstract class Cart<T> {", true},
		{"typescript", "export { Cart } from './cart'", false},
		{"python", "class Cart:\n    pass", true},
		{"python", "from shop import Cart", false},
		{"ruby", "  class Shop::Cart < Basket", true},
		{"php", "final class Cart implements \\Countable", true},
	} {
		if got, _ := definesType(tc.text, tc.language, "Cart"); got != tc.want {
			t.Errorf("%s: %q defines: %v", tc.language, tc.text, got)
		}
	}
}

// A class comes before the object or namespace that stands beside it, in one chunk or in another.
func TestCompanion(t *testing.T) {
	for _, tc := range []struct {
		language, text string
		want           bool
	}{
		{"scala", "object Cart {", true},
		{"scala", "case class Cart(size: Int)", false},
		{"scala", "object Cart {\n}\ncase class Cart(size: Int)", false},
		{"typescript", "export namespace Cart {", true},
		{"go", "type (\n\tCart struct {", false},
	} {
		defined, companion := definesType(tc.text, tc.language, "Cart")
		if !defined || companion != tc.want {
			t.Errorf("%s: %q defines: %v, as a companion: %v", tc.language, tc.text, defined, companion)
		}
	}
}

func TestLastPart(t *testing.T) {
	for in, want := range map[string]string{"Session::close()": "close", "@router": "router", "größe": "größe",
		"a.b.größeÄ": "größeÄ",
		"":           "", "()": "", "x": "x", "save!": "save"} {
		if got := lastPart(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What a person marks as code is a name; messages of changes are none that a program prints.
func TestNamesAndChanges(t *testing.T) {
	for _, tc := range []struct {
		query  string
		kind   queryKind
		names  int
		change bool
	}{
		{"Fix panic in `close` of a session", mixed, 1, true},
		{"why does retry() never end", mixed, 1, false},
		{"what reads --max-open-files at start", mixed, 1, false},
		{"fix(router): keep the query when a path is cleaned", changeMessage, 0, true},
		{"io: fix unsoundness in the read half", changeMessage, 0, true},
		{"[Android] Fixed a crash when the list is empty", changeMessage, 0, true},
		{"tls: bad certificate of the peer", message, 0, false},
		{"missing port in address", message, 0, false},
		{"fix", symbol, 1, false},
	} {
		q := parseQuery(api.Query{Text: tc.query})
		if q.kind != tc.kind || len(q.names) != tc.names || q.change != tc.change {
			t.Errorf("%q: %s, names %v, change %v", tc.query, kindNames[q.kind], q.names, q.change)
		}
	}
	q := parseQuery(api.Query{Text: "Fix issue"})
	q.setWeights(nil)
	if c := q.coverage(1); c < 0 || c > 1 {
		t.Errorf("a query of nothing but noise: coverage %v", c)
	}
}
