package secret

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeToken has the format of a GitHub token. It is assembled so that scanners don't find it.
var fakeToken = "ghp_" + strings.Repeat("x7Kq2mZ9Lw4Rt6Yp1N", 2)

func TestRedact(t *testing.T) {
	gh := fakeToken
	aws := "AKIA" + "QZ7DK3MVW2YJ5LRT"
	b64 := strings.Repeat("Ab3dEf6hIj9lMn2pQr5tUv8xYz1B", 4)[:64]
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + b64 + "\n" + b64 + "\n-----END RSA " + "PRIVATE KEY-----"
	for _, c := range []struct{ name, key, in, want string }{
		{"token", "a.go", `x := "` + gh + `"`, `x := "«[secret: GitHub PAT]»"`},
		{"two in a line", "a.py", aws + " " + gh, "«[secret: AWS key]» «[secret: GitHub PAT]»"},
		{"block keeps its lines", "a.go", "a\n" + pem + "\nb", "a\n«[secret: private key]»\n\n\n\nb"},
		{"behind a back-tick", "a.go", "k := `" + pem + "`\nb", "k := `«[secret: private key]»\n\n\n`\nb"},
		{"with CRLF", "a.go", strings.ReplaceAll("a\n"+pem+"\nb", "\n", "\r\n"),
			"a\r\n«[secret: private key]»\r\n\r\n\r\n\r\nb"},
		{"on one line", "a.json", `{"k": "` + strings.ReplaceAll(pem, "\n", `\n`) + `"}`, `{"k": "«[secret: private key]»"}`},
		{"no last line", "a.md", "x\n" + pem[:strings.Index(pem, "\n-----END")] + "\n\nText.",
			"x\n«[secret: private key]»\n\n\n\nText."},
		{"behind a log's prefix", "a.txt", "10:00 I " + strings.ReplaceAll(pem, "\n", "\n10:00 I ") + "\nok",
			"10:00 I «[secret: private key]»\n\n\n\nok"},
		{"password", "a.yaml", `password: "k8#vLm2q!t"`, `password: "«[secret: password]»"`},
		{"password in code", "a.go", `Password: "k8#vLm2q!t",`, `Password: "«[secret: password]»",`},
		{"typed", "a.ts", `const apiKey: string = "q8Zt4vN1mK7sWx3bRc6y";`, `const apiKey: string = "«[secret: token]»";`},
		{"in an address", "a.rb", "postgres://app:k8vLm2qtZ4@db/x", "postgres://app:«[secret: password]»@db/x"},
		{"header", "a.md", "Authorization: Bearer " + b64, "Authorization: Bearer «[secret: authorization]»"},
		{"flag", "a.sh", "deploy --token q8Zt4vN1mK7sWx3bRc6y9", "deploy --token «[secret: token]»"},
		{"web key", "a.json",
			`{"kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"jpsQnnGQmL8YBIffH1136cspYG6s0iY7X1fCE9s"}`,
			`{"kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"«[secret: private key]»"}`},
	} {
		r, err := Redact(c.key, []byte(c.in))
		if err != nil || string(r.Data) != c.want {
			t.Errorf("%s: %v\n got %q\nwant %q", c.name, err, r.Data, c.want)
		}
	}
}

func TestAllowComments(t *testing.T) {
	gh := fakeToken
	for in, stays := range map[string]bool{
		gh + " // search-mcp:allow": true, "# search-mcp:allow\n" + gh: true, gh + " # gitleaks:allow": true,
		gh + " # pragma: allowlist secret": true, gh + "\n# search-mcp:allow": false, "# search-mcp:allow\n\n" + gh: false,
		gh + " # allow": false,
	} {
		r, err := Redact("a.py", []byte(in))
		if err != nil || strings.Contains(string(r.Data), gh) != stays {
			t.Errorf("%q: %q, %v", in, r.Data, err)
		}
	}
}

func TestRulesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range expressions {
		e.re() // panics if the expression is invalid
	}
	for _, r := range slices.Concat(tokenFormats().tokens, tokenFormats().services) {
		r.prepare()
		if seen[r.id] {
			t.Errorf("%s is there twice", r.id)
		}
		seen[r.id] = true
		if r.title == "" || slices.Contains(r.keywords, "") {
			t.Errorf("%s has no keyword or title", r.id)
		}
		for _, k := range r.keywords {
			if k != strings.ToLower(k) {
				t.Errorf("%s: keyword %q", r.id, k)
			}
		}
	}
	for id := range quick {
		if !seen[id] {
			t.Errorf("quick has %s, which is no rule", id)
		}
	}
	examples()
}

func TestLinearTime(t *testing.T) {
	var everything strings.Builder
	for i := range table().uses {
		for _, r := range table().uses[i].rules {
			everything.WriteString(strings.Join(r.keywords, " ") + " ")
		}
	}
	for name, piece := range map[string]string{
		"keywords": everything.String(), "assignments": `key="token=secret:` + "`", "names": "password_token_secret_",
		"values": `token="a1b2c3d4e5f6g7h8i9j0`,
		"blocks": "-----BEGIN PRIVATE KEY-----\n", "base64": "LS0tLS1CRUdJTiBS", "kty": `{"kty":`,
		"jwt": "eyJhbGciOiJIUzI1NiJ9.", "urls": "a://b:c:d:e",
		"curl": "curl -u ", "header": "authorization: bearer ", "one letter": "a", "kinds": "kind: Secret\ndata:\n  a:\n",
		"mnemonic": "mnemonic: word ", "calls": `login("a", `, "columns": "a|password|\n", "rows": "(password) values ('a'),",
		"told": "the password is ", "blocks of names": "password:\n  a:\n", "functions": `setPassword("a`,
		"found": "ghp_" + strings.Repeat("x7Kq2", 7) + "z ",
	} {
		data := []byte(strings.Repeat(piece, 1<<20/len(piece)))
		began := time.Now()
		StoreKind("a.yaml", data)
		_, err := Redact("a.yaml", data)
		if err == nil {
			_, err = Redact("a.md", data)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: a megabyte took %v", name, took)
		} else if took > time.Second {
			t.Logf("%s: a megabyte took %v (%v)", name, took, err)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"password: \"k8#vLm2q!t\"\r\n", fakeToken,
		"-----BEGIN PRIVATE KEY-----\nx\n-----END",
		`{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"}`, "a://b:cccccccccc@d", "«[secret: x]»",
		"# search-mcp:allow\n", "PuTTY-User-Key-File-3\nPrivate-Lines: 2\n",
		"curl -u a:bcdefgh1 x", "LS0tLS1CRUdJTi", "b3BlbnNzaC1rZXktdjE", "token --token token=\\\"token'"} {
		f.Add("a.yaml", []byte(s))
		f.Add("a.go", []byte(s+s))
	}
	f.Fuzz(func(t *testing.T, key string, data []byte) {
		before := bytes.Clone(data)
		StoreKind(key, data)
		r, err := Redact(key, data)
		if !bytes.Equal(before, data) {
			t.Fatal("the bytes were changed in place")
		}
		if err != nil {
			return
		}
		if a, b := bytes.Count(data, []byte("\n")), bytes.Count(r.Data, []byte("\n")); a != b {
			t.Fatalf("%d lines became %d: %q", a, b, r.Data)
		}
		again, err := Redact(key, r.Data)
		if err != nil || !bytes.Equal(again.Data, r.Data) {
			t.Fatalf("twice is not once: %q, then %q (%v)", r.Data, again.Data, err)
		}
	})
}

func TestAutomaton(t *testing.T) {
	words := []string{"ab", "abc", "b", "cab", "aabbcc"}
	a := newAutomaton(words)
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, r.IntN(40))
		for i := range data {
			data[i] = "abcABCx"[r.IntN(7)]
		}
		var want []string
		for end := range len(data) + 1 {
			for _, w := range words {
				if strings.HasSuffix(strings.ToLower(string(data[:end])), w) {
					want = append(want, fmt.Sprint(w, end))
				}
			}
		}
		var got []string
		last := 0
		a.scan(data, func(word, end int) {
			if end < last {
				t.Errorf("%s: %d after %d", data, end, last)
			}
			last, got = end, append(got, fmt.Sprint(words[word], end))
		})
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", data, got, want)
		}
	}
}
