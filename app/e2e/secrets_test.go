package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/files/secret/corpus"
)

// TestSecretsWithThePrograms indexes fake secrets and searches for them in the answers and in every byte of the data
// folder. After a purge, deleted text is gone from both too.
func TestSecretsWithThePrograms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := filepath.Join(w.home, "project")
	c := corpus.New(23)
	for _, f := range c.Files {
		w.write(filepath.Join(root, f.Path), f.Text)
	}
	const witness = "Jk4Wn8Xd2Rb7Qz5Vt9Lc3Hm6" // a unique word
	w.write(filepath.Join(root, "src", "witness.go"), "package src\n\n// "+witness+"\nfunc Witness() {}\n")
	e := w.indexed(root)
	answers := ""
	for _, query := range []string{"password", "token", "secret", "private key", "api key", "credentials",
		"export", "auth", "login",
		"database", "service account", "begin", "client", "AWS", "github", "run", "main", "debug", "environment", witness} {
		for _, tool := range []string{"search_code", "search_docs"} {
			text, _ := e.text(tool, map[string]any{"query": query, "top_k": 50, "detail": "full"})
			answers += text + "\n"
		}
	}
	answers += w.mustCLI("search", "password token key", "--project", root, "--json") + w.mustCLI("logs")
	if !strings.Contains(answers, witness) || !strings.Contains(answers, "[secret: ") {
		t.Fatal("the answers contain neither the witness nor a marker, so this test checked nothing")
	}
	onDisk := func() string {
		var all strings.Builder
		for _, data := range w.dataFiles() {
			all.Write(data)
		}
		return all.String()
	}
	check(t, os.Remove(filepath.Join(root, "src", "witness.go")))
	w.await("the deletion", func() bool {
		return !strings.Contains(w.mustCLI("search", "Witness", "--project", root, "--json"), witness)
	})
	if disk := onDisk(); !strings.Contains(disk, witness) && !strings.Contains(disk, strings.ToLower(witness)) {
		t.Error("the witness was not on disk: nothing was looked at")
	}
	w.mustCLI("purge", "--project", root)
	w.mustCLI("stop")
	disk := onDisk()
	if strings.Contains(disk, witness) || strings.Contains(disk, strings.ToLower(witness)) {
		t.Error("deleted text is still on disk after a purge")
	}
	missed, tokens, others := c.Leaks(func(s corpus.Secret) bool { return s.Seen(answers) || s.Seen(disk) })
	for _, s := range others {
		t.Errorf("%s %q of %s is in an answer or on disk", s.Sort, s.Kind, s.Path)
	}
	if missed*20 > tokens {
		t.Errorf("%d of %d tokens are in an answer or on disk", missed, tokens)
	}
}

// TestKeyInDocumentation checks that documentation with a sample key is found by its text, with the key masked. A file
// of code that begins with a key is omitted and named.
func TestKeyInDocumentation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const body = "Zk3Qx7bZ1mVq9Lc3Hm6Rb7Qz5Vt9Jk4Wn8Xd2Rb7Qz5Vt9Lc3Hm6Tz1Wp4Ks8Dg"
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat(body+"\n", 12) +
		"-----END RSA " + "PRIVATE KEY-----\n"
	root := w.folder(map[string]string{"go.mod": "module keys\n", "README.md": "# Keys\n\n" + key + "\nThe wombat digs.\n",
		"long.md": "# Long\n\n" + strings.Repeat("A line of the text.\n", 500) + "\n" + key +
			"\n## Quokka\n\nThe quokka rests.\n", "deploy": key + "\necho the numbat climbs\n"})
	e := w.indexed(root)
	if text, _ := e.text("get_index_status", nil); !strings.Contains(text, `"reason":"secret","files":1`) ||
		!strings.Contains(text, `"examples":["deploy"]`) {
		t.Error(text)
	}
	for query, want := range map[string]string{"where does the quokka rest": "long.md", "the wombat digs": "README.md"} {
		var h hits
		if e.call("search_docs", map[string]any{"query": query}, &h); h.rank(want) != 1 {
			t.Errorf("%s: %+v", query, h)
		}
	}
	text, _ := e.text("search_docs", map[string]any{"query": "RSA private key", "detail": "full"})
	if strings.Contains(text, body[:30]) || strings.Count(text, "[secret: private key]") < 2 {
		t.Errorf("%.3000s", text)
	}
}
