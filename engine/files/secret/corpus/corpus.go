package corpus

import (
	_ "embed" // embeds the forms
	enc "encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"text/template"
)

// Sort is the kind of a secret. Tests require that all secrets of the kinds File and Key are found, and 95 % of the
// tokens.
type Sort string

const (
	File  Sort = "file" // in a file that is meant to store secrets
	Key   Sort = "key"  // private key
	Token Sort = "token"
)

type Secret struct {
	Sort  Sort
	Kind  string // e.g. "github-pat"
	Path  string
	Parts []string // texts that must not be shown
}

type Document struct {
	Path, Text string
	Harmless   []string // lines that must not be masked
}

type Corpus struct {
	Files   []Document
	Secrets []Secret
}

// Templates of files with secrets (text/template). Functions generate the secrets.
var (
	//go:embed testdata/stores.txt
	stores string
	//go:embed testdata/keys.txt
	keys string
	//go:embed testdata/contexts.txt
	contexts string
	//go:embed testdata/tokens.txt
	tokens string
	//go:embed testdata/harmless.txt
	harmless string
)

type maker struct {
	*rand.Rand
	out   Corpus
	seen  map[string]bool
	parts []string // secrets in the current file
	forms *template.Template
}

func newMaker(seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 19)), seen: map[string]bool{}}
	funcs := template.FuncMap{
		"s":   m.secret,
		"of":  m.of,
		"url": func(n int) string { return m.of(Alnum, 1) + m.of(url64, n-2) + m.of(Alnum, 1) },
		// a password with capital and small letters, digits and a symbol
		"word": func() string {
			return m.of(lower, 3) + m.of(upper, 2) + m.of("#!+-_", 1) + m.of(lower, 4) + m.of(digits, 3)
		},
		"uuid": func() string {
			return fmt.Sprintf("%s-%s-4%s-a%s-%s", m.of(hexes, 8), m.of(hexes, 4), m.of(hexes, 3), m.of(hexes, 3),
				m.of(hexes, 12))
		},
		"key": func(title, first string, lines int) []string { return m.block(title, first, lines, m.secret) },
		"raw": func(title, first string, lines int) string {
			return strings.Join(m.block(title, first, lines, func(s string) string { return s }), "\n")
		},
		"encode": func(text string) string { return enc.StdEncoding.EncodeToString([]byte(text)) },
		"chunks": func(n int, text string) (out []string) {
			for c := range slices.Chunk([]byte(text), n) {
				out = append(out, string(c))
			}
			return out
		},
		"escape": strings.NewReplacer(" ", "%20", "\n", "%0A").Replace,
		"join":   strings.Join,
		"lower":  strings.ToLower,
		"dotted": func(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", ".") },
		"camel":  camel,
	}
	for name, alphabet := range map[string]string{"digits": digits, "upper": upper, "hex": hexes,
		"alnum": Alnum, "base64": base64} {
		funcs[name] = func(n int) string { return m.of(alphabet, n) }
	}
	m.forms = template.New("").Funcs(funcs)
	return m
}

func New(seed uint64) Corpus {
	m := newMaker(seed)
	for _, f := range []struct {
		sort Sort
		text string
	}{{File, stores}, {Key, keys}} {
		_, forms := Sections(f.text)
		for _, d := range forms {
			path, kind, _ := strings.Cut(d.Path, " | ")
			m.add(Document{Path: path, Text: m.fill(d.Text, nil)}, Secret{Sort: f.sort, Kind: kind, Parts: m.parts})
		}
	}
	_, files := Sections(contexts)
	n := 0
	for line := range strings.Lines(tokens) {
		if kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind != "#" {
			name, form, _ := strings.Cut(rest, " ")
			for range contextsOfToken {
				m.token(kind, name, form, files, n)
				n++
			}
		}
	}
	m.out.Files = append(m.out.Files, Harmless(harmless)...)
	return m.out
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hexes  = digits + "abcdef"
	Alnum  = digits + lower + upper
	base64 = Alnum + "+/"
	url64  = Alnum + "-_"
)

func (m *maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m *maker) add(d Document, s Secret) {
	base := d.Path
	for n := 2; m.seen[d.Path]; n++ {
		d.Path = fmt.Sprintf("more%d/%s", n, base)
	}
	m.seen[d.Path] = true
	s.Path = d.Path
	m.out.Files = append(m.out.Files, d)
	m.out.Secrets = append(m.out.Secrets, s)
}

func (m *maker) secret(value string) string {
	m.parts = append(m.parts, value)
	return value
}

func (m *maker) fill(form string, data any) string {
	m.parts = nil
	var b strings.Builder
	if err := template.Must(m.forms.Parse(form)).Execute(&b, data); err != nil {
		panic(err)
	}
	return b.String()
}

func (m *maker) block(title, first string, lines int, secret func(string) string) []string {
	out := []string{"-----BEGIN " + title + "PRIVATE" + " KEY-----"}
	for n := range lines {
		line := m.of(base64, 64)
		if n == 0 {
			line = first + line[len(first):]
		}
		if n == lines-1 {
			line = line[:40] + "A="
		}
		out = append(out, secret(line))
	}
	return append(out, "-----END "+title+"PRIVATE"+" KEY-----")
}

func (m *maker) token(kind, name, form string, contexts []Document, n int) {
	name, named := strings.CutSuffix(name, "*")
	n %= len(contexts)
	for named && !strings.Contains(contexts[n].Text, ".Name") {
		n = (n + 1) % len(contexts)
	}
	value := m.fill(form, nil)
	stem := fmt.Sprintf("%s_%d", strings.ReplaceAll(kind, "-", "_"), m.IntN(900)+100)
	m.add(Document{Path: strings.Replace(contexts[n].Path, "*", stem, 1),
		Text: m.fill(contexts[n].Text, map[string]string{"Name": name, "Value": value})},
		Secret{Sort: Token, Kind: kind, Parts: []string{value}})
}

const contextsOfToken = 3

func camel(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// Harmless returns the files in text. Lines that begin with "~" must not be masked.
func Harmless(text string) []Document {
	_, files := Sections(text)
	for i, f := range files {
		for line := range strings.Lines(f.Text) {
			if line, ok := strings.CutPrefix(line, "~"); ok {
				files[i].Harmless = append(files[i].Harmless, strings.TrimSpace(line))
			}
		}
		files[i].Text = strings.ReplaceAll("\n"+f.Text, "\n~", "\n")[1:]
	}
	return files
}

// Sections splits text into files at headers such as "==> path <==". intro is the text before the first header.
func Sections(text string) (intro string, out []Document) {
	intro, rest, _ := strings.Cut("\n"+text, "\n==> ")
	for part := range strings.SplitSeq(rest, "\n==> ") {
		path, body, ok := strings.Cut(part, " <==\n")
		if !ok {
			panic(fmt.Sprintf("corpus: %q is no header", part[:min(len(part), 40)]))
		}
		out = append(out, Document{Path: path, Text: strings.TrimSuffix(body, "\n") + "\n"})
	}
	return intro, out
}
