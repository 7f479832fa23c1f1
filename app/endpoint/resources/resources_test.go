package resources

import "testing"

func TestDocumentNames(t *testing.T) {
	for uri, want := range map[string]string{
		"docs://README.md": "README.md", "docs://a%20b/%C3%BC.md": "a b/ü.md", "docs://readme.md/": "readme.md",
		"docs://..": "", "docs://a/../b.md": "", "docs://%2e%2e%2fx.md": "", `docs://a%5c..%5cx.md`: "",
		"docs://a%zz": "", "file:///a": "",
	} {
		if got, err := documentName(uri); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", uri, got, err)
		}
	}
}
