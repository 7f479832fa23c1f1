package markup

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	render "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func unescape(s []byte) string {
	if !bytes.ContainsAny(s, `\&`) {
		return string(s)
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	render.DefaultWriter.Write(w, s)
	_ = w.Flush()
	return html.UnescapeString(b.String())
}

var (
	wikiLink = regexp.MustCompile(`\[\[([^\[\]|#\n]+)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]+))?\]\]`)
	// doi is Crossref's pattern for DOIs in text. It may include punctuation, which trimDOI removes.
	doi     = regexp.MustCompile(`(?i)\b10\.\d{4,9}/[-._;()/:a-z0-9]+`)
	pandoc  = regexp.MustCompile(`\[[^\[\]\n]*?-?@[A-Za-z0-9_][^\[\]\n]*\]`)
	key     = regexp.MustCompile(`@([A-Za-z0-9_](?:[\w:.#$%&+?<>~/-]*[\w])?)`)
	latex   = regexp.MustCompile(`\\(?:no|paren|text|auto|foot)?cite[a-z]*\*?(?:\[[^\]\n]*\])*\{([^{}\n]+)\}`)
	address = regexp.MustCompile(`(?i)https?://[^\s<>"']+`)
)

func wikiText(s string) string {
	m := wikiLink.FindStringSubmatch(s)
	return strings.TrimSpace(cmp.Or(m[3], m[1]))
}

// references records the DOIs, wiki links and bibliography keys of a block, except in code and addresses.
func (p *prose) references(block ast.Node) {
	from, to := bounds(block, len(p.source))
	if from >= to || !bytes.ContainsAny(p.source[from:to], `[@\/`) {
		return
	}
	source := bytes.Clone(p.source[from:to])
	blank := func(a, b int) {
		for i := max(a, 0); i < min(b, len(source)); i++ {
			source[i] = ' '
		}
	}
	walk(block, func(n ast.Node) ast.WalkStatus {
		if t, ok := n.(*ast.Text); ok && n.Parent().Kind() == ast.KindCodeSpan {
			blank(t.Segment.Start-from, t.Segment.Stop-from)
		}
		return ast.WalkContinue
	})
	add := func(kind LinkKind, at int, to, text string) {
		p.links = append(p.links, Link{Kind: kind, URL: to, Text: text, Context: p.context(block, from+at, "")})
	}
	for _, m := range wikiLink.FindAllSubmatchIndex(source, -1) {
		whole := string(source[m[0]:m[1]])
		add(Wiki, m[0], strings.TrimSpace(string(source[m[2]:m[3]])), wikiText(whole))
	}
	for _, m := range latex.FindAllSubmatchIndex(source, -1) {
		for k := range strings.SplitSeq(string(source[m[2]:m[3]]), ",") {
			add(Key, m[0], strings.TrimSpace(k), strings.TrimSpace(k))
		}
	}
	for _, at := range pandoc.FindAllIndex(source, -1) {
		if at[1] < len(source) && source[at[1]] == '(' {
			continue
		}
		for _, m := range key.FindAllSubmatchIndex(source[at[0]:at[1]], -1) {
			if before := source[at[0]+m[0]-1]; strings.IndexByte("[;,- ", before) < 0 {
				continue
			}
			k := string(source[at[0]+m[2] : at[0]+m[3]])
			add(Key, at[0]+m[0], k, k)
		}
	}
	for _, m := range address.FindAllIndex(source, -1) {
		blank(m[0], m[1])
	}
	for _, m := range doi.FindAllIndex(source, -1) {
		id := trimDOI(string(source[m[0]:m[1]]))
		add(Plain, m[0], "https://doi.org/"+id, id)
	}
}

func trimDOI(s string) string {
	s = strings.TrimRight(s, ".,;:")
	for strings.HasSuffix(s, ")") && strings.Count(s, "(") < strings.Count(s, ")") {
		s = strings.TrimRight(strings.TrimSuffix(s, ")"), ".,;:")
	}
	return s
}

func (p *prose) rawLink(block ast.Node, n *ast.RawHTML) {
	for i := range n.Segments.Len() {
		at := n.Segments.At(i)
		for _, l := range anchorsOf(string(at.Value(p.source))) {
			text := l.Text
			if next, ok := n.NextSibling().(*ast.Text); ok && text == "" {
				text = unescape(next.Segment.Value(p.source))
			}
			p.links = append(p.links, Link{URL: l.URL, Text: text, Context: p.context(block, at.Start, "")})
		}
	}
}

func anchorsOf(s string) (out []Link) {
	if !strings.Contains(s, "href") {
		return nil
	}
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return nil
	}
	for n := range root.Descendants() {
		if to := attr(n, "href"); n.DataAtom == atom.A && to != "" && !strings.HasPrefix(to, "#") {
			out = append(out, Link{URL: to, Text: textOf(n)})
		}
	}
	return out
}

func slugs(headings []Heading) {
	seen := map[string]int{}
	for i := range headings {
		slug := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '-', r == '_':
				return r
			case r == ' ':
				return '-'
			}
			return -1
		}, strings.ToLower(headings[i].Text))
		headings[i].Anchor = slug
		if n := seen[slug]; n > 0 {
			headings[i].Anchor = fmt.Sprintf("%s-%d", slug, n)
		}
		seen[slug]++
	}
}

func Fragment(anchor string) string { return (&url.URL{Fragment: anchor}).EscapedFragment() }
