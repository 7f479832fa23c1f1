package find

import "testing"

// These are more inputs like those of TestForms.
func TestMoreForms(t *testing.T) {
	for _, test := range []form{
		{"JavaScript modules", project{
			"d1.js":        "const one = () => 1\nexport default one\n",
			"d3.ts":        "export default class Three {}\n",
			"d4.js":        "export function four() {}\nexport { four as default }\n",
			"lib/index.js": "class Five {}\nmodule.exports = Five\n",
			"u1.js":        "import uno, { x } from './d1.js'\nuno()\n",
			"u3.ts":        "export { default } from './d3'\n",
			"u3b.ts":       "import Drei from './u3'\nnew Drei()\n",
			"u4.js":        "import vier from './d4'\nvier()\n",
			"u5.js":        "const Cinq = require('./lib')\nnew Cinq()\n",
		}, map[string]string{
			"one":   "def d1.js:1; mention d1.js:2; import u1.js:1; call u1.js:2",
			"Three": "def d3.ts:1; import u3.ts:1; import u3b.ts:1; call u3b.ts:2",
			"four":  "def d4.js:1; import d4.js:2; import u4.js:1; call u4.js:2",
			"Five":  "def lib/index.js:1; mention lib/index.js:2; import u5.js:1; call u5.js:2",
		}},
		{"strings of frameworks", project{
			"models.py": "class Buyer(Model):\n    pass\n\nclass Sale(Model):\n    buyer = ForeignKey('Buyer')\n" +
				"    other = ForeignKey('shop.Buyer')\n",
			"serverless.yml":      "functions:\n  pay:\n    handler: src/pay.handle_it\n",
			"src/pay.js":          "exports.handle_it = async () => 1\n",
			"AndroidManifest.xml": "<activity android:name=\".MainActivity\"/>\n",
			"MainActivity.kt":     "class MainActivity : Activity()\n",
			"t.py":                "def g(a):\n    # type: (Buyer) -> None\n    x = cast('Buyer', a)\n",
		}, map[string]string{
			"Buyer":        "def models.py:1; ?string models.py:5; ?string models.py:6; ~mention t.py:2; ~mention t.py:3",
			"handle_it":    "def src/pay.js:1; ?string serverless.yml:3",
			"MainActivity": "def MainActivity.kt:1; ?string AndroidManifest.xml:1",
		}},
		{"other cases of letters", project{
			"a.sql": "create table Open_Bills (id int);\nselect * from open_bills;\n",
			"b.php": "<?php\nclass Cart_It { function Add_It() {} }\n$c = new cart_it();\n$c->add_it();\n",
			"c.f90": "function Area_Of(r)\nend function\nx = AREA_OF(2)\n",
			"d.ps1": "function Set-It { }\nSET-IT\n",
			"e.pas": "type\n  TShop = class\n  end;\nvar s: tshop;\n",
		}, map[string]string{
			"open_bills": "def a.sql:1; mention a.sql:2",
			"Cart_It":    "def b.php:2; call b.php:3", "add_it": "def b.php:2; call b.php:4",
			"area_of": "def c.f90:1; call c.f90:3", "set-it": "def d.ps1:1; mention d.ps1:2",
			"TSHOP": "def e.pas:2; mention e.pas:4",
		}},
		{"Java and Kotlin", project{
			"Model.kt": "class Model {\n    var isOpen = true\n    val title: String = \"\"\n}\nfun topLevel() = 1\n",
			"J.java": "class J {\n  void f(Model m) {\n    m.isOpen();\n    m.setOpen(false);\n    m.getTitle();\n" +
				"    ModelKt.topLevel();\n  }\n  public boolean isReady() { return true; }\n}\n",
			"K.kt": "fun k(j: J) = j.isReady\n",
		}, map[string]string{
			"isOpen": "def Model.kt:2; call J.java:3; call J.java:4", "title": "def Model.kt:3; call J.java:5",
			"topLevel": "def Model.kt:5; call J.java:6", "isReady": "def J.java:8; mention K.kt:1",
		}},
		{"Rust interpolation", project{
			"a.rs": "static MAX_IT: u8 = 1;\nfn f() { format!(\"{MAX_IT:>5} {{MAX_IT}}\"); panic!(\"x {MAX_IT}\"); }\n",
		}, map[string]string{"MAX_IT": "def a.rs:1; mention a.rs:2; mention a.rs:2; ~string a.rs:2"}},
		{"names with signs", project{
			"a.R":    "print.invoice <- function(x) x\nprint.invoice(1)\n",
			"a.less": "@main-color: red;\n.b { color: @main-color; }\n",
			"a.clj":  "(defn valid? [x] x)\n(valid? 1)\n",
			"a.hs":   "go' :: Int\ngo' = 1\nmain = print go'\n",
			"a.rb":   "def save!\nend\nsave!\nsave\n",
		}, map[string]string{"print.invoice": "def a.R:1; call a.R:2", "@main-color": "def a.less:1; mention a.less:2",
			"valid?": "def a.clj:1; mention a.clj:2", "go'": "def a.hs:2; mention a.hs:1; mention a.hs:3",
			"save!": "def a.rb:1; call a.rb:3"}},
		{"members of languages without a grammar", project{
			"a.zig": "const Tint = enum { crimson, teal };\nconst Fault = error{ NotThere, Broken };\n" +
				"const Spot = struct { left: u8, top: u8 };\n",
			"a.nim": "type\n  Hue = enum\n    scarlet, azure\n  Box* = object\n    width*: int\n    depth: int\n",
			"a.jl":  "@enum Fruit apple pear=2 plum\n",
			"a.R": "LIMIT = 3\nassign(\"ceiling\", 4)\nStack <- R6Class(\"Stack\", public = list(\n" +
				"  push = function(x) x\n))\n",
			"a.pl":  "my @queue = ();\nmy $rate = 1;\n",
			"a.sol": "enum Phase { Open, Closed }\n",
			"a.ps1": "enum Mood {\n  Happy\n  Sad = 2\n}\n$script:Budget = 3\n",
			"a.erl": "-record(invoice, {number, total = 0 :: integer()}).\n",
			"a.fs":  "type IShape =\n    abstract member Area : float\nlet (|Even|Odd|) n = if n % 2 = 0 then Even else Odd\n",
			"a.hs":  "module Data.Ledger where\n",
		}, map[string]string{
			"crimson": "def a.zig:1", "teal": "def a.zig:1", "NotThere": "def a.zig:2", "left": "def a.zig:3",
			"azure": "def a.nim:3", "width": "def a.nim:5", "depth": "def a.nim:6", "pear": "def a.jl:1", "plum": "def a.jl:1",
			"LIMIT": "def a.R:1", "ceiling": "def a.R:2", "push": "def a.R:4", "queue": "def a.pl:1", "rate": "def a.pl:2",
			"Closed": "def a.sol:1", "Happy": "def a.ps1:2", "Sad": "def a.ps1:3", "Budget": "def a.ps1:5",
			"number": "def a.erl:1", "total": "def a.erl:1", "Area": "def a.fs:2", "Even": "def a.fs:3; mention a.fs:3",
		}},
		{"names of libraries", project{
			"a.py":   "import requests\nfrom os import path\n\ndef f():\n    requests.get('x')\n    path.join('a')\n",
			"b.rb":   "class User < ApplicationRecord\nend\n",
			"C.java": "class C { Logger l = LoggerFactory.getLogger(C.class); }\n",
		}, map[string]string{"requests": "import a.py:1; mention a.py:5", "ApplicationRecord": "mention b.rb:1",
			"LoggerFactory": "mention C.java:1", "requests.get": "call a.py:5"}},
		{"imports in other languages", project{
			"keys.rs": "pub fn turn() {}\n", "m.rs": "use crate::keys::turn as renew;\nfn f() { renew(); }\n",
			"K.kt": "package shop\nfun pay() = 1\n", "M.kt": "package app\nimport shop.pay as settle\n" +
				"fun f() = settle()\n",
			"A.php": "<?php\nnamespace App;\nclass Mailer {}\n", "B.php": "<?php\nuse App\\Mailer as Post;\n" +
				"$p = new Post();\n",
			"k.cs": "namespace N;\nclass FlagAttribute {}\n", "l.cs": "[Flag]\nclass X {}\n",
			"g/keys.go": "package g\n\nfunc Turn() {}\n", "m.go": "package m\n\nimport gg \"example.com/x/g\"\n\n" +
				"func f() { gg.Turn() }\n",
		}, map[string]string{
			"turn": "def keys.rs:1; import m.rs:1; call m.rs:2", "pay": "def K.kt:2; import M.kt:2; call M.kt:3",
			"Mailer": "def A.php:3; import B.php:2; call B.php:3", "FlagAttribute": "def k.cs:2; mention l.cs:1",
			"Turn": "def g/keys.go:3; call m.go:5",
		}},
		{"default exports of a whole module", project{
			"m.js":  "export default function goIt() {}\n",
			"u.js":  "import * as M from './m'\nM.default()\n",
			"v.ts":  "import * as NS from \"./m\";\nconst s = new NS.default();\n",
			"w.cjs": "const D = require('./m').default;\nD();\nconst q = require('./m');\nq.default();\n",
			"x.js":  "import * as Other from './m'\nimport * as N from './n'\nN.default()\n",
		}, map[string]string{"goIt": "def m.js:1; import u.js:1; call u.js:2; import v.ts:1; call v.ts:2; " +
			"import w.cjs:1; call w.cjs:2; import w.cjs:3; mention w.cjs:4"}},
		{"components and modules used by their file's name", project{
			"c/MyButton.vue": "<template><button/></template>\n",
			"App.vue": "<script setup>\nimport MyButton from './c/MyButton.vue'\n</script>\n" +
				"<template><MyButton/><my-button/></template>\n",
			"main.js":                "import B from './c/MyButton.vue'\napp.component('x', B)\n",
			"Card.svelte":            "<div/>\n",
			"Page.svelte":            "<script>\n  import Card from './Card.svelte'\n</script>\n<Card/>\n",
			"Base.astro":             "---\n---\n<html/>\n",
			"index.astro":            "---\nimport Base from './Base.astro'\n---\n<Base/>\n",
			"c/user-panel.vue":       "<script setup>\nconst a = 1\n</script>\n",
			"Home.vue":               "<template><UserPanel/><user-panel/></template>\n",
			"ui/Dialog/index.svelte": "<div/>\n",
			"d.js":                   "import Box from './ui/Dialog'\nnew Box({})\n",
			"api/client.ts":          "export default () => 1\n",
			"use.ts":                 "import client from './api/client'\nclient()\n",
		}, map[string]string{
			"MyButton": "def c/MyButton.vue:1; import App.vue:2; ?string App.vue:2; mention App.vue:4; mention App.vue:4; " +
				"import main.js:1; ?string main.js:1; mention main.js:2",
			"Card":      "def Card.svelte:1; import Page.svelte:2; ?string Page.svelte:2; mention Page.svelte:4",
			"Base":      "def Base.astro:1; import index.astro:2; ?string index.astro:2; mention index.astro:4",
			"UserPanel": "def c/user-panel.vue:1; ?mention Home.vue:1; ?mention Home.vue:1",
			"Dialog":    "def ui/Dialog/index.svelte:1; import d.js:1; call d.js:2; ?string d.js:1",
			"client":    "def api/client.ts:1; import use.ts:1; ?string use.ts:1; call use.ts:2",
		}},
		{"a component's data", project{
			"w.vue": "<script>\nexport default {\n  data() { return { cntIt: 0 } },\n" +
				"  methods: { incIt() { this.cntIt++ } },\n}\n" +
				"</script>\n<template><p @click=\"incIt\">{{ cntIt }}</p></template>\n",
			"s.js": "export const useIt = defineStore('x', { state: () => ({ totalIt: 0 }) })\nuseIt().totalIt\n",
		}, map[string]string{"cntIt": "def w.vue:3; ?mention w.vue:4; mention w.vue:7",
			"incIt": "def w.vue:4; mention w.vue:7", "totalIt": "def s.js:1; mention s.js:2"}},
		{"quotes of Lisp", project{
			"a.el":   "(defun my-fn (x) x)\n(my-fn 1)\n(mapcar #'my-fn '(1))\n(add-hook 'x-hook 'my-fn)\n",
			"b.lisp": "(defun Do-It (x) x)\n(mapcar #'do-it '(1))\n",
		}, map[string]string{"my-fn": "def a.el:1; mention a.el:2; mention a.el:3; mention a.el:4",
			"do-it": "def b.lisp:1; mention b.lisp:2"}},
	} {
		t.Run(test.form, func(t *testing.T) { check(t, test) })
	}
}
