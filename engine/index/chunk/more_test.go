package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/index/chunk/treesitter"
)

// These are more inputs like those of TestForms.
func TestMoreForms(t *testing.T) {
	trees := NewTrees(treesitter.Language)
	for _, test := range []struct{ path, text, want string }{
		{"a.kt", "class A<T>(\n    private val d: Repo<T>,\n) : Repo<T> by d {\n    fun oneIt() {}\n}\n" +
			"class B : X by Foo.bar(), Y {\n    val twoIt = 1\n}\nval lazyIt by lazy {\n    1\n" +
			"}\n", "A:1 oneIt:4 B:6 twoIt:7 lazyIt:9"},
		{"a.rb", "module M\n  protected def prot_it; end\n  public\n  helper_method def help_it\n  end\n" +
			"  module_function def mod_it(a)\n    a\n  end\nend\nPoint = Struct.new(:a)\nnamespace :db do\n" +
			"  task :mig_it => :env do\n  end\nend\n", "prot_it:2 help_it:4 mod_it:6 mig_it:12"},
		{"a.cs", "public readonly record struct Money(decimal AmountIt, string CurIt)\n{\n" +
			"    public int Cents() => 1;\n}\n" +
			"internal sealed record Ev<T>(T DataIt) : Base;\n", "AmountIt:1 CurIt:1 Cents:3 DataIt:5"},
		{"A.java", "public record Pair<A, B>(A firstIt, B secondIt) implements X {\n  int sum() { return 1; }\n}\n" +
			"class C {\n  void f() {\n    var t = new Thread() {\n      @Override public void runIt() {}\n    };\n" +
			"    return;\n  }\n  Comparator<X> c() {\n    return new Comparator<>() {\n" +
			"      public int cmpIt(X a) { return 0; }\n    };\n  }\n}\n", "firstIt:1 secondIt:1 sum:2 runIt:7 cmpIt:13"},
		{"a.tsx", "export const conf = {\n  loadIt() {\n  },\n} satisfies X\nconst opts = { goIt() {\n} } as const\n" +
			"export default ({\n  data() { return 1 },\n} as Comp)\n", "loadIt:2 goIt:5 data:8"},
		{"a.c", "SYSCALL_DEFINE3(open_it, const char *, name, int,\n\tflags, int, mode)\n{\n}\n" +
			"PG_FUNCTION_INFO_V1(x);\nPHP_FUNCTION(php_it) {\n  return;\n}\nRUBY_METHOD(a, rb_it)\n{\n}\n" +
			"static int plain_it(void)\n{\n}\n", "open_it:1 php_it:6 rb_it:9 plain_it:12"},
		{"t.cc", "TYPED_TEST(Fix, typed_it) {\n}\nBOOST_FIXTURE_TEST_CASE(fix_it, F)\n{\n}\n" +
			"TEST_CASE(\"adds two\") {\n}\nSCENARIO(\"a user logs in\", \"[x]\") {\n}\nTEST_F(Fix, Multi)\n{\n" +
			"  int x = 1;\n}\n", "typed_it:1 fix_it:3 Multi:10"},
		{"a.rs", "cfg_if::cfg_if! {\n    if #[cfg(all(unix, not(mac)))] {\n        pub struct Unix;\n" +
			"        impl Unix { fn m_it() {} }\n    } else if #[cfg(windows)] {\n        fn win_it() {}\n    }\n}\n" +
			"bitflags::bitflags! {\n    #[derive(Debug)]\n    struct Perm: u8 {\n        const READ_IT = 0b1;\n" +
			"        const ALL_IT = Self::READ_IT.bits();\n    }\n}\n" +
			"fn after_it() {}\n", "Unix:3 m_it:4 win_it:6 Perm:11 READ_IT:12 ALL_IT:13 after_it:16"},
		{"a.scala", "given Ordering[X] with {\n  def cmp_it(a: X) = 1\n}\ngiven named: Show[Y] with\n" +
			"  val shown_it = 1\n  def show_it = 2\n", "cmp_it:2 named:4 shown_it:5 show_it:6"},
		{"a.lua", "local M = {}\nfunction M.one_it() end\nreturn { two_it = function() end, three_it = function(x)\n" +
			"  return x\nend }\n", "one_it:2 three_it:3"},
		{"a.hs", "data R = R\n  { aIt :: Int\n  , bIt :: Int\n  } deriving (Eq)\nclass Monad m => C m where\n" +
			"  op, op2 :: m a\n  {-# MINIMAL op #-}\ndata G a where\n" +
			"  GInt :: Int -> G Int\n", "aIt:2 bIt:3 op:6 GInt:9"},
		{"a.dart", "class P {\n  final int x;\n  P(this.x);\n  P.zero() : x = 0;\n  factory P.fromJson(Map j) {\n" +
			"    return P(1);\n  }\n  bool get isBig {\n    return x > 1;\n  }\n  operator ==(o) => true;\n}\n" +
			"enum S {\n  open(1),\n  closed(2);\n  const S(this.v);\n}\n", "zero:4 fromJson:5 isBig:8 open:14 closed:15"},
		{"a.tf", "locals {\n  a_it = 1\n  b-it = var.x\n}\nresource \"x\" \"y_it\" {\n  name = 1\n" +
			"}\n", "a_it:2 b-it:3 y_it:5"},
		{"a.sol", "interface I { function fIt(uint a) external; }\nlibrary L {\n    struct SIt { uint a; }\n" +
			"    bytes32 internal constant SLOT_IT = 0x0;\n    event EvIt(address a);\n" +
			"}\n", "fIt:1 SIt:3 SLOT_IT:4 EvIt:5"},
		{"a.sv", "typedef logic [7:0] byte_it;\nmodule top_it #(parameter W_IT = 8) (input clk);\n" +
			"  localparam L_IT = 2;\nendmodule\ninterface bus_it;\nendinterface\n", "byte_it:1 top_it:2 L_IT:3 bus_it:5"},
		{"a.scss", "@mixin mix-it($a) { }\n.card-it:hover, a.link-it { &.on-it { } }\n%ph-it { color: #fff; }\n" +
			"$map-it: (a: 1);\n", "mix-it:1 .card-it:2 .link-it:2 %ph-it:3 $map-it:4"},
		{"a.jl", "Δx = 1\nf₂(α) = α\nabstract type Größe end\nmacro prüf(x)\nend\n", "Δx:1 f₂:2 Größe:3 prüf:4"},
		{"a.nim", "proc größe*(x: int): int = x\nproc übung() = discard\n", "größe:1 übung:2"},
		{"a.fs", "type Rec = { NameIt: string; AgeIt: int }\ntype U = | AIt | BIt of int\nmodule Mo =\n" +
			"  let übung x = x\n", "NameIt:1 AgeIt:1 AIt:2 BIt:2 Mo:3 übung:4"},
		{"a.clj", "(defprotocol P\n  \"doc\"\n  (one-it [this] \"d\")\n  (two-it [this x]\n    \"d\"))\n" +
			"(defrecord Rec [a])\n", "P:1 one-it:3 two-it:4 Rec:6"},
		{"a.pl", "package Shop::Cart;\nsub add_it { }\n", "Shop::Cart:1 add_it:2"},
		{"types.cs", "class LoneIt(int aIt);\n" +
			"public class DerIt(string nIt, Map<int, string> mIt = null) : BaseIt(nIt), IIt;\n" +
			"class GenIt<T>(T vIt) where T : class;\ninterface IIt;\n// the class is\nint fieldIt;\n" +
			"public partial struct SIt;\n",
			"LoneIt:1 aIt:1 DerIt:2 nIt:2 mIt:2 GenIt:3 vIt:3 IIt:4 SIt:7"},
		{"a.el", "(require 'cl-lib)\n(defun fn-it (a)\n  (interactive)\n  a)\n(defmacro mac-it (&rest b) `(progn ,@b))\n" +
			"(defcustom cust-it 1 \"x\")\n(defvar-local loc-it nil)\n(cl-defstruct (st-it (:copier nil)) fld)\n" +
			"(defalias 'ali-it #'fn-it)\n(define-minor-mode mode-it \"x\")\n(cl-defmethod meth-it ((x st-it)) 1)\n" +
			"(ert-deftest test-it () t)\n(define-obsolete-function-alias 'old-it 'fn-it \"1\")\n",
			"fn-it:2 mac-it:5 cust-it:6 loc-it:7 st-it:8 ali-it:9 mode-it:10 meth-it:11 test-it:12 old-it:13"},
		{"hooks.php", "<?php\nclass C {\n  public int $hookIt {\n    get => 1;\n" +
			"    set(string $v) { $this->x = $v; }\n  }\n" +
			"  public private(set) string $asymIt;\n  function afterIt() {}\n}\n", "hookIt:3 asymIt:7 afterIt:8"},
		{"context.kt", "context(Log) fun ctxIt() {}\ncontext(a: A)\nprivate fun twoIt() {}\nfun afterIt() {}\n",
			"ctxIt:1 twoIt:3 afterIt:4"},
		{"match.py", "match x:\n    case 1:\n        def match_it(): pass\n", "match_it:3"},
		{"Rest.java", "record R(int aIt, int... restIt) {}\n", "aIt:1 restIt:1"},
		{"struct.rb", "P = Struct.new(:a_it, :b_it)\nD = Data.define(:c_it) do\n  def d_it; end\nend\n",
			"P:1 a_it:1 b_it:1 D:2 c_it:2 d_it:3"},
		{"a.proto", "message M {\n  optional string nameIt = 1;\n  map<string, int32> mapIt = 3;\n" +
			"  oneof oIt { int32 aIt = 4; }\n}\n" +
			"enum E { ZERO_IT = 0; ONE_IT = 1; }\nservice S { rpc CallIt (A) returns (B); }\n",
			"nameIt:2 mapIt:3 oIt:4 aIt:4 ZERO_IT:6 ONE_IT:6 CallIt:7"},
		{"a.graphql", "type U { nameIt: String! friendsIt(first: Int): [U] }\nenum R { ADMIN_IT USER_IT }\n" +
			"enum L {\n  lowIt\n}\n",
			"nameIt:1 friendsIt:1 ADMIN_IT:2 USER_IT:2 lowIt:4"},
		{"more.ml", "let ( >>= ) a b = a\nmodule F = struct let inIt = 1 end\n" +
			"class c = object val mutable vIt = 1 method mIt = vIt end\n" +
			"let rec aIt x = x and bIt y = y\n", ">>=:1 inIt:2 vIt:3 mIt:3 aIt:4 bIt:4"},
		{"more.dart", "class A { int fIt = 1; final String gIt = ''; }\nclass B {\n  final int hIt, iIt;\n}\n",
			"fIt:1 gIt:1 hIt:3"},
		{"more.jl", "@kwdef mutable struct KwIt\n  aIt::Int\n  bIt\nend\n" +
			"@enum ColIt RedIt\n", "KwIt:1 aIt:2 bIt:3 ColIt:5"},
		{"more.ps1", "class KIt { [int]mIt() { return 1 } [string]$nIt }\n", "KIt:1 mIt:1 nIt:1"},
		{"one.tf", "locals { locIt = 1 }\n", "locIt:1"},
	} {
		language := Language(test.path, []byte(test.text))
		d := Plain(language, test.text)
		if HasGrammar(language) {
			f := File{Language: language, Text: test.text}
			tree, err := trees.Tree(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if d, err = trees.Document(f, tree); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, m := range d.Definitions {
			got = append(got, fmt.Sprintf("%s:%d", m.Name, d.LineAt(m.At)))
		}
		for want := range strings.FieldsSeq(test.want) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no %s in %s", test.path, want, strings.Join(got, " "))
			}
		}
	}
}
