package corpus

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// Sort is what a secret is to the product.
type Sort string

// The sorts. Files that exist to hold secrets and key material must never get through; of tokens of known kinds 95 %
// are to be found.
const (
	File  Sort = "file"
	Key   Sort = "key"
	Token Sort = "token"
)

// Secret is one of them, at its place.
type Secret struct {
	Sort  Sort
	Kind  string // "github-pat", "tfvars"
	Path  string
	Parts []string // texts that must not be found anywhere: the value, or the lines of a key
}

// Document is a file of the corpus.
type Document struct {
	Path, Text string
	// Kept are texts of it that look like secrets, are none, and must stay.
	Kept []string
}

// Corpus is a folder of secrets.
type Corpus struct {
	Files   []Document
	Secrets []Secret
}

type maker struct {
	*rand.Rand
	out  Corpus
	seen map[string]bool
}

func newMaker(seed uint64) *maker {
	return &maker{Rand: rand.New(rand.NewPCG(seed, 19)), seen: map[string]bool{}}
}

// New makes the corpus of a seed.
func New(seed uint64) Corpus {
	m := newMaker(seed)
	for _, f := range holders {
		m.holder(f)
	}
	for _, k := range keyForms {
		m.keys(k)
	}
	for i, k := range tokenKinds {
		for n := range placesOfToken {
			m.token(k, (i*placesOfToken+n)%len(places))
		}
	}
	m.out.Files = append(m.out.Files, harmless(keptLines)...)
	return m.out
}

// Kinds counts the kinds of a sort.
func (c Corpus) Kinds(s Sort) int {
	kinds := map[string]bool{}
	for _, x := range c.Secrets {
		if x.Sort == s {
			kinds[x.Kind] = true
		}
	}
	return len(kinds)
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hexes  = digits + "abcdef"
	alnum  = digits + lower + upper
	base64 = alnum + "+/"
	url64  = alnum + "-_"
)

// of makes n characters of an alphabet.
func (m *maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m *maker) hex(n int) string   { return m.of(hexes, n) }
func (m *maker) alnum(n int) string { return m.of(alnum, n) }
func (m *maker) url(n int) string   { return m.of(alnum, 1) + m.of(url64, n-2) + m.of(alnum, 1) }
func (m *maker) uuid() string {
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", m.hex(8), m.hex(4), m.hex(3), m.hex(3), m.hex(12))
}

// word is a password as a person who was told to choose a good one does.
func (m *maker) word() string {
	return m.of(lower, 3) + m.of(upper, 2) + m.of("#!+-_", 1) + m.of(lower, 4) + m.of(digits, 3)
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

// holder makes a file that exists to hold secrets.
func (m *maker) holder(h holder) {
	var parts []string
	secret := func(s string) string {
		parts = append(parts, s)
		return s
	}
	text := h.text(m, secret)
	m.add(Document{Path: h.path, Text: text}, Secret{Sort: File, Kind: h.kind, Parts: parts})
}

// token puts a token into a place.
func (m *maker) token(k tokenKind, n int) {
	p := places[n]
	for k.named && !p.names {
		n = (n + 1) % len(places)
		p = places[n]
	}
	v := k.make(m)
	name := p.at(fmt.Sprintf("%s_%d", strings.ReplaceAll(k.kind, "-", "_"), m.IntN(900)+100))
	m.add(Document{Path: name, Text: p.text(k.name, v)}, Secret{Sort: Token, Kind: k.kind, Parts: []string{v}})
}

// placesOfToken is how many files each kind of token is put into.
const placesOfToken = 3

// camel writes NAME_LIKE_THIS as nameLikeThis.
func camel(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// place is a kind of file with a secret in its middle.
type place struct {
	dir, ext string
	names    bool // the value stands behind its name
	text     func(name, value string) string
}

func (p place) at(stem string) string { return path.Join(p.dir, stem+p.ext) }

var places = []place{
	{"internal", ".go", true, func(n, v string) string {
		return "package internal\n\nimport \"net/http\"\n\n// Client talks to the service.\nconst " + camel(n) + " = \"" + v +
			"\"\n\nfunc Client() *http.Client { return &http.Client{} }\n"
	}},
	{"app", ".py", true, func(n, v string) string {
		return "import os\n\nDEBUG = False\n" + n + " = '" + v + "'\n\n\ndef main():\n    return os.getcwd()\n"
	}},
	{"src", ".js", true, func(n, v string) string {
		return "const client = require('./client')\n\nmodule.exports = client({\n  retries: 3,\n  " + camel(n) + ": '" + v +
			"',\n})\n"
	}},
	{"src", ".ts", true, func(n, v string) string {
		return "import { connect } from './connect'\n\nexport const " + camel(n) + ": string = \"" + v + "\"\n\nconnect()\n"
	}},
	{"src/main/java", ".java", true, func(n, v string) string {
		return "class Service {\n    private static final String " + n + " = \"" + v + "\";\n\n    void run() {}\n}\n"
	}},
	{"lib", ".rb", true, func(n, v string) string {
		return "class Service\n  " + n + " = \"" + v + "\".freeze\n\n  def run = nil\nend\n"
	}},
	{"src", ".php", true, func(n, v string) string {
		return "<?php\nreturn [\n    'debug' => false,\n    '" + strings.ToLower(n) + "' => '" + v + "',\n];\n"
	}},
	{"Config", ".cs", true, func(n, v string) string {
		return "namespace Shop;\nstatic class Keys\n{\n    public const string " + n + " = \"" + v + "\";\n}\n"
	}},
	{"deploy", ".yaml", true, func(n, v string) string {
		return "service:\n  replicas: 2\n  env:\n    " + n + ": " + v + "\n  port: 8080\n"
	}},
	{"deploy", ".yml", true, func(n, v string) string {
		return "services:\n  web:\n    image: shop\n    environment:\n      - " + n + "=" + v + "\n    ports: ['80:80']\n"
	}},
	{"config", ".toml", true, func(n, v string) string {
		return "[service]\nretries = 3\n" + strings.ToLower(n) + " = \"" + v + "\"\n"
	}},
	{"config", ".json", true, func(n, v string) string {
		return "{\n  \"retries\": 3,\n  \"" + camel(n) + "\": \"" + v + "\",\n  \"debug\": false\n}\n"
	}},
	{"scripts", ".sh", true, func(n, v string) string {
		return "#!/bin/sh\nset -e\nexport " + n + "=\"" + v + "\"\nexec ./deploy\n"
	}},
	{"docs", ".md", true, func(n, v string) string {
		return "# Deploying\n\nBefore the first start:\n\n    export " + n + "=" + v +
			"\n    make deploy\n\nThen wait a minute.\n"
	}},
	{"infra", ".tf", true, func(n, v string) string {
		return "provider \"shop\" {\n  region = \"eu\"\n  " + strings.ToLower(n) + " = \"" + v + "\"\n}\n"
	}},
	{"docker", ".dockerfile", true, func(n, v string) string {
		return "FROM alpine\nENV " + n + "=" + v + "\nRUN apk add curl\nCMD [\"./run\"]\n"
	}},
	{"src", ".rs", true, func(n, v string) string {
		return "pub const " + n + ": &str = \"" + v + "\";\n\nfn main() {\n    println!(\"ready\");\n}\n"
	}},
	{"ci", ".properties", true, func(n, v string) string {
		return "server.port=8080\n" + strings.ReplaceAll(strings.ToLower(n), "_", ".") + "=" + v + "\nserver.name=shop\n"
	}},
	{"notes", ".txt", true, func(n, v string) string {
		return "Meeting on Tuesday.\nThe service wants " + n + "=" + v + " from now on, says Ann.\nLunch at noon.\n"
	}},
	{"src", ".kt", true, func(n, v string) string {
		return "object Keys {\n    const val " + n + " = \"" + v + "\"\n    const val retries = 3\n}\n"
	}},
	{"src", ".swift", true, func(n, v string) string {
		return "enum Keys {\n    static let " + camel(n) + " = \"" + v + "\"\n}\n"
	}},
	{"web", ".html", false, func(_, v string) string {
		return "<!doctype html>\n<script>\n  start({ endpoint: '/api', auth: '" + v + "' })\n</script>\n"
	}},
	{"src", ".go", false, func(_, v string) string {
		return "package src\n\n// The old one was " + v + " and is to be changed.\nfunc old() {}\n"
	}},
	{"docs", ".txt", false, func(_, v string) string {
		return "2026-01-02T03:04:05Z INFO start\n2026-01-02T03:04:06Z WARN refused " + v +
			" from 10.0.0.1\n2026-01-02T03:04:07Z INFO end\n"
	}},
	{"test", ".py", false, func(_, v string) string {
		return "import client\n\n\ndef test_it():\n    c = client.Client(\"" + v + "\")\n    assert c.ok()\n"
	}},
	{"src", ".tsx", false, func(_, v string) string {
		return "export const url = `https://api.example.net/v1/items?key=" + v + "&page=1`\n"
	}},
	{"docs", ".md", false, func(_, v string) string {
		return "# Trying it\n\n```sh\ncurl -H 'X-Api: " + v + "' https://api.example.net/v1\n```\n"
	}},
}
