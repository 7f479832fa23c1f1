package chunk

import (
	"testing"

	"searchmcp/engine/index/chunk/treesitter"
)

// The grammars parse sources full of macros, after changes.
func TestUnread(t *testing.T) {
	for _, source := range [][2]string{
		{"c", "LOCAL int f(int a);\nZEXTERN int ZEXPORT g(void);\nlocal uLong h(uLong x) {\n    return x;\n}\n" +
			"int ZEXPORT k(s)\n    char *s;\n{\n    return 0;\n}\n"},
		{"c", "#ifdef COPY\nvoid a(int x) {\n#else\nvoid b(void) {\n#endif\n    c();\n}\n"},
		{"c", "#ifdef __cplusplus\nextern \"C\"\n{\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n"},
		{"cpp", "class FOO_EXPORT Bar : public Baz {\npublic:\n  FOO_INVOKABLE void run();\n};\n" +
			"EXPORT void CALLBACK done(int a) {}\n"},
		{"rust", "macro_rules! each { ($($t:ty)*) => { $(impl Trait for $t { fn get(&self) -> u8 { 0 } })* } }\n"},
		{"rust", "ffi_fn! {\n    fn version() -> u8 {\n        1\n    } ?= 0\n}\nunsafe extern \"C\" {\n    fn f();\n}\n"},
		{"typescript",
			"interface Made {\n  <T>(value: T): Set<T>\n  <K, V>(value: Map<K, V>): Made\n  // named\n" +
				"  (name: string): void\n  <\n    T,\n  >(one: T): T\n}\n"},
		{"csharp", "class A {\n#if X\n    void F() {\n#else\n    void G() {\n#endif\n    }\n}\n"},
	} {
		language, text := source[0], source[1]
		g := mustGrammar(t, language)
		made, err := g.parse(treesitter.Parse, text)
		must(t, err)
		if n := unreadBytes(made.Root(), 0); n > 0 {
			t.Errorf("%s: %d bytes of %q", language, n, text)
		}
		made.Close()
	}
}
