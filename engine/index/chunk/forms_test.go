package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/index/chunk/treesitter"
)

// Every name is found whole, with its line, in all forms of declarations.
func TestForms(t *testing.T) {
	trees := NewTrees(treesitter.Language)
	for _, test := range declaredForms {
		t.Run(test.form, func(t *testing.T) {
			language := Language(test.path, []byte(test.text))
			d := Plain(language, test.text)
			if HasGrammar(language) {
				f := File{Language: language, Text: test.text}
				tree, err := trees.Tree(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				if d, err = NewTrees(treesitter.Language).Document(f, tree); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, m := range d.Definitions {
				got = append(got, fmt.Sprintf("%s:%d", m.Name, d.LineAt(m.At)))
			}
			for want := range strings.FieldsSeq(test.want) {
				if !slices.Contains(got, want) {
					t.Errorf("no %s in %s", want, strings.Join(got, " "))
				}
			}
		})
	}
}

var declaredForms = []struct{ form, path, text, want string }{
	// Names with letters beyond ASCII.
	{"Julia", "a.jl", "function größe(x)\n  x\nend\nσ(x) = 1\nαmax = 2\nstruct Käufer\nend\nconst Φ = 1\n" +
		"wert₁(x) = 2\n",
		"größe:1 σ:4 αmax:5 Käufer:6 Φ:8 wert₁:9"},
	{"SQL", "a.sql", "CREATE TABLE Größen (id int);\nCREATE VIEW übersicht AS SELECT 1;\n" +
		"CREATE FUNCTION größe() AS 1;\n",
		"Größen:1 übersicht:2 größe:3"},
	{"Dart", "a.dart", "class Käufer {\n  void prüfe() {\n  }\n}\nclass Übung {}\nclass Maß {}\n",
		"Käufer:1 prüfe:2 Übung:5 Maß:6"},
	{"R", "a.R", "berechne_größe <- function(x) x\nübung <- function() 1\nmaß = \\(x) x\nas.größe <- \\(x) x\n",
		"berechne_größe:1 übung:2 maß:3 as.größe:4"},
	{"Haskell", "a.hs", "prüfe :: Int -> Int\nprüfe x = x\nσ :: Int\nσ = 1\ndata Käufer = Käufer Int\nmaß x = x\n",
		"prüfe:2 σ:4 Käufer:5 maß:6"},
	{"PowerShell", "a.ps1", "function Get-客户 {\n}\nfunction Prüfe-Maß {\n}\nfunction Übung {\n}\n",
		"Get-客户:1 Prüfe-Maß:3 Übung:5"},
	{"Pascal", "a.pas", "procedure Prüfe;\nbegin\nend;\nfunction Übung: Integer;\nbegin\nend;\n" +
		"procedure TForm.Maß;\nbegin\nend;\n",
		"Prüfe:1 Übung:4 TForm.Maß:7"},
	{"other languages by lines", "a.ml", "let größe x = x\nlet übung = 1\ntype maß = int\n", "größe:1 übung:2 maß:3"},
	{"Clojure and Erlang", "a.clj", "(defn größe [x] x)\n(def übung 1)\n(defn maß [] 1)\n", "größe:1 übung:2 maß:3"},
	{"Zig, Perl", "a.pl", "sub größe { }\nsub übung { }\nsub maß { }\n" +
		"package Käufer;\n", "größe:1 übung:2 maß:3 Käufer:4"},
	// Members that grammars don't parse.
	{"Kotlin delegation", "a.kt", "class Cached(val a: Store) : Store by a {\n    fun warmUp() { }\n" +
		"    val size = 1\n}\n" +
		"object Single : Store by make() {\n    fun coolDown() { }\n}\n" +
		"class Both(b: B) : A(), Store by b, Other by b {\n    fun other() { }\n}\n" +
		"val anon = object : Store {\n    override fun inner() { }\n}\n",
		"Cached:1 warmUp:2 size:3 Single:5 coolDown:6 Both:8 other:9 inner:12"},
	{"Ruby modifiers", "a.rb", "class T\n  private def hide_it(a)\n    a\n  end\n" +
		"  private_class_method def self.norm_it = 1\n" +
		"  memoize def slow_it\n  end\n  def show_it; end\nend\nPt = Struct.new(:x) do\n  def norm_pt\n  end\nend\n" +
		"Da = Data.define(:y) do\n  def data_it; end\nend\ntask :deploy_it do\nend\ntask build_it: [:deploy_it] do\n" +
		"end\n",
		"hide_it:2 norm_it:5 slow_it:6 show_it:8 norm_pt:11 data_it:15 deploy_it:17 build_it:19"},
	{"C# records", "a.cs", "public record OrderDto(int CustomerId, string Note);\n" +
		"public record struct Pt(int Across);\n" +
		"public class P(int primary) { int Get() => primary; }\n", "OrderDto:1 CustomerId:1 Note:1 Across:2 Get:3"},
	{"Java records and anonymous classes", "A.java", "record Point(int across, int down) {}\nclass A {\n" +
		"  Runnable r = new Runnable() {\n    public void runIt() {}\n  };\n  void f() {\n    call(new Object() {\n" +
		"      void deepIt() {}\n    });\n  }\n}\n", "Point:1 across:1 down:1 runIt:4 deepIt:8"},
	{"objects with satisfies and as const", "a.ts", "export default {\n  setupIt() {\n  },\n  arrow: () => 1,\n" +
		"} satisfies Config\n" +
		"export const keys = {\n  runIt() {\n  },\n} as const\n",
		"setupIt:2 arrow:4 runIt:7"},
	{"functions that macros make", "a.c", "SYSCALL_DEFINE1(read_it, int, fd)\n{\n  return 0;\n}\n" +
		"ZEND_FUNCTION(zend_it)\n{\n}\n" +
		"PHP_METHOD(Cls, meth_it)\n{\n}\nDEFUN (\"emacs-it\", Femacs_it, 1)\n{\n}\n",
		"read_it:1 zend_it:5 meth_it:8 Femacs_it:11"},
	{"C++ tests", "a_test.cpp", "TEST_F(Fix, does_it) {\n  int a;\n}\nBOOST_AUTO_TEST_CASE(boost_it) {\n}\n" +
		"TEST_CASE(\"catches it\", \"[x]\") {\n}\nTEST(Suite, plain_it)\n{\n}\nTEST_P(Suite, param_it) {}\n",
		"does_it:1 boost_it:4 plain_it:8 param_it:11"},
	{"Rust macros", "a.rs", "cfg_if! {\n    if #[cfg(unix)] {\n        pub fn unix_it() {}\n    } else {\n" +
		"        pub fn other_it() {}\n    }\n}\n" +
		"bitflags! {\n    pub struct Flags: u32 {\n        const FIRST = 1;\n    }\n" +
		"}\n", "unix_it:3 other_it:5 Flags:9 FIRST:10"},
	{"Scala given", "a.scala", "given intOrd: Ord[Int] with\n  def compareIt(a: Int) = 1\nclass A:\n" +
		"  def plainIt = 1\n", "intOrd:1 compareIt:2 plainIt:4"},
	{"Lua's returned table", "a.lua", "return {\n  make_it = function(a)\n    return a\n  end,\n  two = 2,\n" +
		"}\n", "make_it:2"},
	{"except*", "a.py", "try:\n    pass\nexcept* ValueError:\n    pass\n\ndef after_it():\n    pass\n", "after_it:6"},
	{"C# extension", "a.cs", "static class E {\n  extension(string s) {\n    public int WordIt() => 1;\n  }\n" +
		"  public static int Old(this string s) => 1;\n}\n", "WordIt:3 Old:5"},
	{"Ruby blocks of one line", "a.rb", "Pt = Struct.new(:x) { def norm_it; end }\n" +
		"Da = Data.define(:y) { def two_it = 1; def three_it = 2 }\nK.class_eval { def made_it(a) = a }\n",
		"norm_it:1 two_it:2 three_it:2 made_it:3"},
	{"C# primary constructors", "a.cs", "public class Svc(ILogger logIt, int sizeIt) : Base(logIt) {\n" +
		"  int Get() => sizeIt;\n}\npublic struct Pt(double xIt);\nclass Q<T>(T itemIt) where T : class { void Go() {} }\n",
		"Svc:1 logIt:1 sizeIt:1 Get:2 Pt:4 xIt:4 Q:5 itemIt:5 Go:5"},
	{"destructured variables", "a.ts", "export const [stIt, setIt] = useState(0)\n" +
		"export const { desIt, bIt: renIt, dIt = 1, ...restIt } = make()\n",
		"stIt:1 setIt:1 desIt:2 renIt:2 dIt:2 restIt:2"},
	{"anonymous classes of one line", "A.java", "class A {\n  R r = new R() { public void runIt() {} };\n" +
		"  void f() { call(new R() { void deepIt() {} }); }\n}\n", "runIt:2 deepIt:3"},
	{"anonymous classes of PHP", "a.php", "<?php\nreturn new class { public function anonIt() {} };\n" +
		"$x = new class { function varIt() {} };\ncall(new class { function argIt() {} });\n", "anonIt:2 varIt:3 argIt:4"},
	{"generic aliases, except* with names", "a.py", "type AliasIt[T] = list[T]\ntry:\n    pass\n" +
		"except* (A, B) as e:\n    def exc_it(): pass\n", "AliasIt:1 exc_it:5"},
	{"exported names of Nim", "a.nim", "proc größe*(x: int): int = x\ntype Käufer* = object\nconst maß* = 1\n",
		"größe:1 Käufer:2 maß:3"},
	{"macros of Swift", "a.swift", "macro macIt() = #externalMacro(module: \"a\", type: \"b\")\n", "macIt:1"},
	// Forms that were missing in line rules.
	{"F# exceptions and constants", "a.fs", "let ConstIt = 1\nexception ErrIt of string\n", "ConstIt:1 ErrIt:2"},
	{"classes of SystemVerilog", "a.sv", "class ClsIt extends Base;\nendclass\nvirtual class AbsIt;\nendclass\n",
		"ClsIt:1 AbsIt:3"},
	{"Perl constants and attributes", "a.pl", "use constant CONST_IT => 1;\nuse constant { A_IT => 1, B_IT => 2 };\n" +
		"has attr_it => (is => 'ro');\n", "CONST_IT:1 A_IT:2 B_IT:2 attr_it:3"},
	{"Elm constructors and fields", "a.elm", "type Msg\n    = ClickIt\n    | InputIt String\ntype alias ModelIt =\n" +
		"    { nameIt : String\n    , age : Int\n    }\n", "Msg:1 ClickIt:2 InputIt:3 ModelIt:4 nameIt:5 age:6"},
	{"Erlang modules", "a.erl", "-module(mod_it).\n", "mod_it:1"},
	{"Groovy fields", "a.groovy", "class CartIt {\n  String nameIt\n  static final int MAX_IT = 1\n}\n",
		"CartIt:1 nameIt:2 MAX_IT:3"},
	{"Fortran types and interfaces", "a.f90", "type, extends(b) :: ty_it\nend type\ninterface op_it\nend interface\n",
		"ty_it:1 op_it:3"},
	{"Crystal properties and records", "a.cr", "class A\n  property name_it : String\nend\nrecord RecIt, a : Int32\n",
		"name_it:2 RecIt:4"},
	{"D functions", "a.d", "class ClsIt {\n  void methIt(int a) {}\n}\nint fnIt(int a) { return a; }\nalias AlIt = int;\n",
		"ClsIt:1 methIt:2 fnIt:4 AlIt:5"},
	{"Tcl methods", "a.tcl", "oo::class create ClsIt {\n  method meth_it {a} {}\n}\n", "meth_it:2"},
	{"Dart fields", "a.dart", "abstract interface class IIt {\n  final int fIt = 1;\n  late final String lateIt;\n}\n" +
		"base mixin class MIt {}\n", "IIt:1 fIt:2 lateIt:3 MIt:5"},
	{"Pascal units", "a.pas", "unit UnitIt;\ninterface\n", "UnitIt:1"},
	{"Haskell members", "a.hs", "class Shape a where\n  areaOf :: a -> Int\n  nameOf :: a -> String\n" +
		"data P = MkP { fieldX :: Int, fieldY :: Int } | Other Int\n" +
		"  deriving Show\ndata Q\n  = First\n  | Second Int\n(<+>) :: Int -> Int -> Int\n" +
		"newtype N = MkN { unN :: Int }\n",
		"areaOf:2 nameOf:3 MkP:4 fieldX:4 fieldY:4 Other:4 First:7 Second:8 <+>:9 MkN:10 unN:10"},
	{"Dart members", "a.dart", "class A {\n  int get sizeOf => 1;\n  A.named(this.x);\n" +
		"  factory A.from(Map m) => A.named(1);\n  set sizeOf(int v) {\n  }\n" +
		"  const A._private();\n}\nenum Color { red, green }\nextension on String { int twice() => 1; }\n" +
		"enum Big {\n  one,\n  two(2);\n}\n",
		"sizeOf:2 named:3 from:4 red:9 green:9 twice:10 one:12 two:13"},
	{"F# and OCaml", "a.fs", "type Cart() =\n  member val Total = 0 with get, set\n  member this.Add x = x\n" +
		"  new(a) = Cart()\ntype Shape = Circle of int | Square\n" +
		"type S2 =\n  | Round of int\n  | Flat\n", "Cart:1 Total:2 Add:3 Circle:5 Square:5 Round:7 Flat:8"},
	{"OCaml members", "a.ml", "class c = object\n  method add_it x = x\n  val mutable size_it = 1\nend\n" +
		"type t = Circle_it of int | Flat_it\ntype u =\n  | Round_it\n" +
		"type r = { field_it : int; other_it : int }\nmodule type S_it = sig\nend\n",
		"add_it:2 size_it:3 Circle_it:5 Flat_it:5 Round_it:7 field_it:8 other_it:8 S_it:9"},
	{"Terraform", "a.tf", "locals {\n  region_it = \"x\"\n  other_it = {\n    a = 1\n  }\n" +
		"}\n", "region_it:2 other_it:3"},
	{"Thrift", "a.thrift", "service Pay {\n  i32 add_it(1: i32 a),\n  oneway void ping_it()\n}\nenum E {\n" +
		"  ONE_IT = 1\n}\nstruct S {\n  1: required string name_it\n}\n",
		"Pay:1 add_it:2 ping_it:3 ONE_IT:6 name_it:9"},
	{"Solidity", "a.sol", "contract C {\n  uint256 public totalIt;\n" +
		"  address private constant OWNER_IT = address(0);\n  mapping(address => uint) balancesIt;\n}\n" +
		"type PriceIt is uint256;\ncontract D { function oneIt() public {} }\nuint constant FILE_IT = 1;\n",
		"totalIt:2 OWNER_IT:3 balancesIt:4 PriceIt:6 D:7 oneIt:7 FILE_IT:8"},
	{"Oracle", "a.sql", "CREATE OR REPLACE EDITIONABLE PACKAGE BODY pay AS\n  PROCEDURE settle_it(x NUMBER) IS\n" +
		"  BEGIN NULL; END;\n  FUNCTION rate_it RETURN NUMBER IS\n  BEGIN RETURN 1; END;\nEND;\n" +
		"CREATE OR REPLACE FORCE VIEW open_it AS SELECT 1;\nCREATE NONEDITIONABLE TRIGGER trig_it\n",
		"pay:1 settle_it:2 rate_it:4 open_it:7 trig_it:8"},
	{"SystemVerilog", "a.sv", "typedef enum logic [1:0] { IDLE_IT, RUN_IT } state_it;\n`define WIDTH_IT 8\n" +
		"typedef struct packed {\n  logic a;\n} pack_it;\nparameter DEPTH_IT = 4;\n",
		"state_it:1 WIDTH_IT:2 pack_it:5 DEPTH_IT:6"},
	{"Clojure protocols", "a.clj", "(defprotocol Pay\n  (charge-it [this x])\n" +
		"  (refund-it [this]))\n", "Pay:1 charge-it:2 refund-it:3"},
	{"Bazel", "BUILD", "cc_library(\n    name = \"lib_it\",\n)\n\n" +
		"py_test(name = \"test_it\")\n", "lib_it:2 test_it:5"},
	{"SCSS", "a.scss", "$tint: red;\n%holder-it {\n}\n.btn-it { color: red; }\n#main-it {\n}\n" +
		".a, .second-it { }\n", "$tint:1 %holder-it:2 .btn-it:4 #main-it:5"},
	{"LaTeX", "a.tex", "\\section{Intro}\\label{sec:intro}\n\\newcommand{\\cmdit}{x}\n" +
		"\\begin{equation}\\label{eq:it}\n\\def\\defit{1}\n", "sec:intro:1 cmdit:2 eq:it:3 defit:4"},
	{"MDX", "a.mdx", "export const chartIt = () => {\n  return 1\n}\n\nexport function fnIt() {\n  return 1\n}\n\n" +
		"# Head\n", "chartIt:1 fnIt:5"},
	{"Visual Basic", "a.vb", "Public Class Cart\n  Private total As Integer\n" +
		"  Public Function AddIt(x As Integer) As Integer\n  End Function\nEnd Class\n", "Cart:1 total:2 AddIt:3"},
	{"COBOL", "a.cbl", "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAY-IT.\n       01 WS-TOTAL PIC 9.\n" +
		"       MAIN-PARA.\n           PERFORM ADD-IT.\n       ADD-IT.\n", "PAY-IT:2 WS-TOTAL:3 MAIN-PARA:4 ADD-IT:6"},
	{"CMake", "CMakeLists.txt", "function(add_quick_test name)\nendfunction()\n" +
		"add_library(quick STATIC a.c)\n", "add_quick_test:1 quick:3"},
	{"Haskell module", "a.hs", "module Shop.CartIt (add) where\nadd x = x\n", "Shop.CartIt:1 add:2"},
	{"CSS at-rules", "a.css", "@property --gap-it {\n  syntax: \"<length>\";\n}\n@layer base-it {\n}\n" +
		"@counter-style thumbs-it {\n}\n", "--gap-it:1 base-it:4 thumbs-it:6"},
	{"Protobuf one-line oneof", "a.proto", "message A { oneof kind_it { string name_it = 1; } " +
		"map<string, int32> counts_it = 2; }\n", "A:1 kind_it:1 name_it:1 counts_it:1"},
	{"SQL common table expressions", "a.sql", "WITH RECURSIVE first_it AS (\n  SELECT 1\n),\nnext_it (a, b) AS (\n" +
		"  SELECT 2\n), last_it AS MATERIALIZED (\n  SELECT 3\n)\nSELECT * FROM last_it;\n",
		"first_it:1 next_it:4 last_it:6"},
}
