package secret

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPasswords(t *testing.T) {
	forms, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for form := range strings.Lines(string(forms)) {
		for _, v := range []string{"xK7vq2Lm#w9R", "Tiger-Cloud4321", "sommer!Haus88", "Berlin1987#"} {
			file, text, _ := strings.Cut(form, "|")
			in := strings.NewReplacer("\\n", "\n", "§", v).Replace(text)
			if r, err := Redact(file, []byte(in)); err != nil || strings.Contains(string(r.Data), v) {
				t.Errorf("%s: %q stays: %q, %v", file, v, r.Data, err)
			}
		}
	}
	exact, err := os.ReadFile("testdata/exact.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(exact)) {
		file, text, _ := strings.Cut(strings.ReplaceAll(line, "\\n", "\n"), "|")
		_, rest, _ := strings.Cut(text, "§")
		value, _, ok := strings.Cut(rest, "§")
		r, err := Redact(file, []byte(strings.ReplaceAll(text, "§", "")))
		if err != nil || !ok || strings.Contains(string(r.Data), value) {
			t.Errorf("%s: %q, %v", file, r.Data, err)
		}
	}
	key := "0x" + strings.Repeat("4f3edf983ac636a65a842ce7c78d9aa7", 2)
	in := "networks: { main: { accounts: ['" + key + "'] } }"
	if r, err := Redact("hardhat.config.js", []byte(in)); err != nil || strings.Contains(string(r.Data), key) {
		t.Errorf("%q, %v", r.Data, err)
	}
}

func TestAlike(t *testing.T) {
	lines, err := os.ReadFile("testdata/alike.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		file, text, _ := strings.Cut(strings.ReplaceAll(line, "\\n", "\n"), "|")
		kind := StoreKind(file, []byte(text))
		if r, err := Redact(file, []byte(text)); err != nil || kind != "" || string(r.Data) != text {
			t.Errorf("%s: %q became %q, %q, %v", file, text, r.Data, kind, err)
		}
	}
}

func TestReadsItself(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if h := StoreKind(name, data); h != "" {
			t.Errorf("%s is taken for a %s", name, h)
		}
		found, err := Find(name, data)
		if err != nil {
			t.Error(err)
		}
		for _, f := range found {
			t.Errorf("%s: %s at %q", name, f.Rule, data[f.Start:f.End])
		}
	}
}

func TestBasicCredentials(t *testing.T) {
	of := func(login string) string { return base64.StdEncoding.EncodeToString([]byte(login)) }
	for _, f := range []struct {
		key, before, login, after string
		masked                    bool
	}{
		{"nginx.conf", `proxy_set_header Authorization "Basic `, "reader:Tiger-Cloud4321", `";`, true},
		{"Caddyfile", `header_up Authorization "Basic `, "reader:xK7vq2Lmw9RtZ4", `"`, true},
		{"a.json", `{"key": "Authorization", "value": "Basic `, "reader:sommer!Haus88", `"}`, true},
		{"a.md", "Authorization: Basic ", "reader:Berlin1987#", "", true},
		{"a.http", "Authorization: Basic ", "Aladdin:open sesame", "", false},
		{"a.md", "Authorization: Basic ", "username:password", "", false},
		{"a.go", `"Basic `, "user:pass", `"`, false},
	} {
		in := f.before + of(f.login) + f.after + "\n"
		r, err := Redact(f.key, []byte(in))
		if err != nil || strings.Contains(string(r.Data), of(f.login)) == f.masked {
			t.Errorf("%s: %q became %q, %v", f.key, in, r.Data, err)
		}
	}
}
