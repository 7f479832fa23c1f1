package symbol_test

import "testing"

// Functions that extend a type of another project are used on its values, whatever the project knows of that type.
func TestExtensions(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"csharp": {
			"Texts.cs": "namespace Shop {\n" +
				"  public static class Texts { public static string rotate(this string s, int n) => s; } }\n",
			"Use.cs": "using Shop;\nclass Use {\n  string Title { get; set; }\n" +
				"  void Run(string title, int n, Basket basket) {\n" +
				"    title.rotate(1); // use: Texts\n    \"a\".rotate(2); // use: Texts\n" +
				"    Texts.rotate(title, 3); // use: Texts\n" +
				"    Title.rotate(4); // use: Texts\n    n.rotate(); // use: none\n" +
				"    basket.Name.rotate(5); // use: Texts\n  }\n}\n",
			"Basket.cs": "class Basket { public string Name; }\n",
		},
		"csharp: services, generic receivers, the project's own types": {
			"Setup.cs": "public static class Setup {\n" +
				"  public static IServiceCollection rotate(this IServiceCollection all) => all;\n}\n",
			"Vip.cs": "public static class Vips {\n  public static bool rotate(this Customer c) => true;\n}\n" +
				"public class Customer {}\n",
			"Program.cs": "var builder = WebApplication.CreateBuilder(args);\n" +
				"builder.Services.rotate(); // use: Setup Vips\n" +
				"class P { void Run(Customer who) { who.rotate(); } } // use: Vips\n",
		},
		"kotlin": {
			"Views.kt": "package ui\nfun View.rotate() {}\nfun <T> Sequence<T>.unused() {}\n",
			"Use.kt": "package ui\nclass Page {\n  fun show(v: View, all: Many) {\n    v.rotate() // use: View\n" +
				"    all.first.rotate() // use: View\n    find(1).rotate() // use: View\n  }\n}\n",
		},
		"kotlin: a property": {
			"Views.kt": "package ui\nval Context.rotate: Inflater get() = Inflater.from(this)\n",
			"Use.kt": "package ui\nclass Page(val ctx: Context) {\n" +
				"  fun show() { ctx.rotate.inflate(1) } // use: Context\n}\n",
		},
		"swift": {
			"Texts.swift": "extension String {\n  func rotate() -> String { self }\n}\n",
			"Use.swift": "struct Page {\n  let title: String\n  func run(t: String, n: Int) {\n" +
				"    t.rotate() // use: String\n" +
				"    title.rotate() // use: String\n    \"a\".rotate() // use: String\n    n.rotate() // use: none\n" +
				"  }\n}\n",
		},
		"swift: a protocol that types of others conform to": {
			"Turns.swift": "protocol Turns {}\nextension Turns {\n  func rotate() {}\n}\nextension UIView: Turns {}\n",
			"Use.swift":   "func run(v: UIView) {\n  v.rotate() // use: Turns\n}\n",
		},
		"rust: a trait for types of others": {
			"src/turn.rs": "pub trait Turn { fn rotate(&self); }\nimpl Turn for str {\n    fn rotate(&self) {}\n}\n" +
				"impl Turn for i32 {\n    fn rotate(&self) {}\n}\n",
			"src/use.rs": "use crate::turn::Turn;\nfn run(t: &str, n: i32, v: Vec<u8>) {\n    t.rotate(); // use: str\n" +
				"    n.rotate(); // use: i32\n    \"a\".rotate(); // use: str\n}\n",
		},
		"scala": {
			"Rich.scala": "object Rich {\n  implicit class Texts(s: String) {\n    def rotate: String = s\n  }\n}\n",
			"Use.scala": "import Rich._\nobject Use {\n  def run(s: String, n: Int) = {\n    s.rotate // use: Texts\n" +
				"    \"a\".rotate // use: Texts\n  }\n}\n",
		},
		"scala 3": {
			"Rich.scala": "object Rich {\n  extension (s: String)\n    def rotate: String = s\n}\n",
			"Use.scala":  "import Rich.*\nobject Use {\n  def run(s: String) = {\n    s.rotate // use: Rich\n  }\n}\n",
		},
		"ruby": {
			"lib/core.rb": "class String\n  def rotate\n    self\n  end\nend\n",
			"lib/use.rb": "class Page\n  def run(t)\n    \"a\".rotate # use: String\n" +
				"    t.rotate # use: String\n    5.rotate # use: none\n  end\nend\n",
		},
		"javascript": {
			"lib/core.js": "String.prototype.rotate = function () { return this };\n",
			"lib/use.js": "function run(t) {\n  'a'.rotate(); // use: String\n  t.rotate(); // use: String\n" +
				"  `b${t}`.rotate(); // use: String\n}\n",
		},
		"javascript: a property that is defined": {
			"lib/core.js": "Object.defineProperty(String.prototype, 'rotate', {\n  value: function () { return this },\n});\n",
			"lib/use.js":  "function run(t) {\n  'a'.rotate(); // use: String\n  t.rotate(); // use: String\n}\n",
		},
		"javascript: several, one of them with a getter": {
			"lib/core.js": "Object.defineProperties(Array.prototype, {\n  rotate: { get() { return this[0] } },\n" +
				"  other: { value() {} },\n});\n",
			"lib/use.js": "function run(t) {\n  return t.rotate; // use: Array\n}\n",
		},
		"javascript: assigned": {
			"lib/core.js": "Object.assign(Number.prototype, {\n  rotate() { return this },\n});\n",
			"lib/use.js":  "function run(t) {\n  t.rotate(); // use: Number\n}\n",
		},
		"javascript: by a name in brackets": {
			"lib/core.js": "Date.prototype['rotate'] = function () { return this };\n",
			"lib/use.js":  "new Date().rotate(); // use: Date\n",
		},
		"typescript: a cast": {
			"lib/core.ts": "(String.prototype as any).rotate = function () { return this };\n",
			"lib/use.ts":  "export function run(t: string) {\n  t.rotate(); // use: String\n}\n",
		},
		"typescript: a type of another project": {
			"lib/core.ts": "Object.defineProperty(Buffer.prototype, 'rotate', { value() { return this } });\n",
			"lib/use.ts":  "export function run(t: Buffer) {\n  t.rotate(); // use: Buffer\n}\n",
		},
		"dart, which is read by lines": {
			"lib/texts.dart": "extension Texts on String {\n  String rotate() => this;\n}\n",
			"lib/use.dart":   "void run(String t) {\n  t.rotate(); // use: Texts\n}\n",
		},
	} {
		t.Run(name, func(t *testing.T) { checkUses(t, files) })
	}
}

// A use is possible where nothing says what it is called on, and none where that is known to be something else.
func TestPossibleUses(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"java: behind an interface of another project": {
			"Task.java": "class Task implements Runnable {\n  public void rotate() {}\n}\n",
			"Use.java": "class Use {\n  void run(Runnable r, Path p) {\n    r.rotate(); // use: maybe\n" +
				"    p.rotate(); // use: none\n  }\n}\n",
		},
		"python: a class named by one letter, and what may be anything": {
			"shop/a.py": "class B:\n    def rotate(self): pass\nclass C(B):\n    def run(self):\n" +
				"        super().rotate()  # use: B\n",
			"shop/b.py": "import json\ndef use(t):\n    json.rotate(t)  # use: none\n",
		},
		"go: an interface of another package": {
			"a.go": "package a\nimport \"io\"\ntype log struct{}\nfunc (l log) rotate() {}\n" +
				"func use(w io.Writer) {\n\tw.rotate() // use: maybe\n\tio.rotate() // use: none\n}\n",
		},
	} {
		t.Run(name, func(t *testing.T) { checkUses(t, files) })
	}
}

// Ways to use a name that do not look like it.
func TestUnusualUses(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"ruby: super without the name": {
			"base.rb":  "class Base\n  def rotate\n  end\nend\n",
			"child.rb": "class Child < Base\n  def rotate\n    super # use: Base\n  end\nend\n",
		},
		"php: a method named beside its class": {
			"Keys.php": "<?php\nclass Keys { public function rotate() {} }\n" +
				"class Log { public function rotate() {} }\n",
			"routes.php": "<?php\nRoute::get('/', [Keys::class, 'rotate']); // use: Keys\n",
		},
		"java: a constant of a static import": {
			"a/S.java": "package a;\nclass S { static final int rotate = 3; }\n",
			"T.java":   "import static a.S.*;\nclass T {\n  int n = rotate; // use: S\n}\n",
		},
		"go: an interface on one line": {
			"a.go": "package a\ntype One interface{ rotate() }\nfunc use(o One) {\n\to.rotate() // use: One\n}\n",
		},
		"vue: an option, from another one": {
			"a.vue": "<script>\nexport default {\n  methods: {\n    rotate() {},\n" +
				"    twice() { this.rotate() }, // use: methods\n  },\n" +
				"  mounted() { this.rotate() }, // use: methods\n}\n" +
				"</script>\n<template>\n<a @click=\"rotate()\" /> <!-- use: methods\n--></template>\n",
		},
		"angular: a template beside its component": {
			"page.component.ts":   "export class Page {\n  rotate() {}\n}\n",
			"page.component.html": "<a (click)=\"rotate()\" /> <!-- use: Page\n-->\n",
		},
		"blade: brackets in a page": {
			"Order.php":      "<?php\nclass Order { public function rotate() {} }\n",
			"show.blade.php": "<p>{{ $order->rotate() }} use: Order\n</p>\n",
		},
	} {
		t.Run(name, func(t *testing.T) { checkUses(t, files) })
	}
}
