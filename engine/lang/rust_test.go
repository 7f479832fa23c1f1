package lang

import "testing"

// Only macros around items are blanked.
func TestWithoutWrappers(t *testing.T) {
	for in, want := range map[string]string{
		"cfg_rt! {\n#[a]\npub fn f() { g('}', \"}\") } // }\n}\n": "         \n#[a]\npub fn f() { g('}', \"}\") } // }\n \n",
		"a::b! {\n  use x;\n  c! { struct X; }\n}":                "       \n  use x;\n       struct X;  \n ",
		"macro_rules! m {\n fn f() {}\n}":                         "",
		"quote! {\n impl #name {}\n}":                             "",
		"m! {\n $(fn f() {})*\n}":                                 "",
		"bitflags! {\n struct A: u8 { const B = 1; }\n}":          "           \n enum   A     {       B = 1, }\n ",
		"cfg_if! { if #[cfg(a)] { fn f() {} } else { fn g() {} } }": "          if cfg       { fn f() {} } " +
			"else { fn g() {} }  ",
		"json! {\n \"a\": 1\n}": "",
		"cfg! {\n fn f() {":     "",
	} {
		if want == "" {
			want = in
		}
		got := in
		for _, prepare := range Of("rust").Prepare {
			got = prepare(got)
		}
		if got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
