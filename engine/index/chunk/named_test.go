package chunk

import "testing"

func TestLanguageNamed(t *testing.T) {
	for typed, want := range map[string]string{
		"go": "go", "Golang": "go", "JS": "javascript", ".py": "python", "c++": "cpp", "C#": "csharp", "shell": "bash",
		"terraform": "hcl", "node": "javascript", " rs ": "rust", "tsx": "tsx", "h": "c",
	} {
		if got, ok := LanguageNamed(typed); got != want || !ok {
			t.Errorf("%q is %q, %v; want %q", typed, got, ok, want)
		}
	}
	for name := range alsoCalled {
		if l, _ := LanguageNamed(name); l == name {
			t.Errorf("%q is a language by itself", name)
		}
	}
	if got, ok := LanguageNamed("klingon"); got != "klingon" || ok {
		t.Errorf("got %q, %v", got, ok)
	}
}
