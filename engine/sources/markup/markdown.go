package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// parser parses GitHub Flavored Markdown. It is safe for concurrent use.
var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

func (d *Document) readMarkdown(s string) {
	values, body := frontMatter(s)
	d.take(values)
	d.Body = body
	p := walkMarkdown(body)
	d.Plain, d.Headings, d.Links, d.Abstract = p.plain.String(), p.headings, p.links, p.abstract
	slugs(d.Headings)
	d.Title, d.Description = cmp.Or(d.Title, p.title), cmp.Or(d.Description, p.paragraph)
}

type prose struct {
	source    []byte
	plain     strings.Builder
	headings  []Heading
	links     []Link
	title     string
	paragraph string
	abstract  string
}

func walkMarkdown(s string) *prose {
	p := &prose{source: []byte(s)}
	walk(parser.Parse(text.NewReader(p.source)), p.block)
	return p
}

func walk(n ast.Node, visit func(ast.Node) ast.WalkStatus) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return visit(n), nil
	})
}

func (p *prose) block(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Heading:
		t := strings.Join(strings.Fields(p.inline(n, true)), " ")
		if t != "" {
			p.headings = append(p.headings, Heading{Level: n.Level, Text: t, At: p.next(), Source: p.lineOf(n)})
			p.emit(t)
		}
		if n.Level == 1 && p.title == "" {
			p.title = t
		}
	case *ast.Paragraph, *ast.TextBlock:
		t := strings.TrimSpace(withoutMarkers(p.inline(n, true)))
		p.emit(t)
		if p.paragraph == "" || p.abstract == "" {
			words := strings.TrimSpace(withoutMarkers(p.inline(n, false)))
			p.paragraph = cmp.Or(p.paragraph, words)
			if p.abstract == "" && Informative(words) {
				p.abstract = words
			}
		}
		p.references(n)
	case *extast.TableCell:
		p.emit(strings.TrimSpace(p.inline(n, true)))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		p.emit(strings.TrimRight(includes.ReplaceAllString(string(n.Lines().Value(p.source)), ""), "\n"))
		return ast.WalkSkipChildren
	case *ast.HTMLBlock:
		raw := string(n.Lines().Value(p.source))
		p.emit(stripTags(raw))
		for _, l := range anchorsOf(raw) {
			p.links = append(p.links, Link{URL: l.URL, Text: l.Text, Context: oneLine(stripTags(raw), maxContext)})
		}
		return ast.WalkSkipChildren
	default:
		return ast.WalkContinue
	}
	return ast.WalkSkipChildren
}

// These expressions match markup of site generators such as MkDocs and Hugo. Includes, commands and attributes are
// removed. The start of a box or tab is replaced with its title.
var (
	includes = regexp.MustCompile(
		`(?m)^[ \t]*(?:--8<-- .*|\{![^}\n]*!\}|\{%[^\n]*%\}|\{\{[<%][^\n]*[%>]\}\}|:{3,})[ \t]*(?:\n|\z)`)
	attributes = regexp.MustCompile(`[ \t]*\{:[^}\n]*\}`)
	box        = regexp.MustCompile(
		`(?m)^(?:!!!|\?\?\?\+?|===[+!]?|:{3,})[ \t]*([\w-]*)(?:[ \t]+inline(?:[ \t]+end)?)?[ \t]*(?:"([^"\n]*)"|\[([^\]\n]*)\]|([^\n]*))$`)
)

func withoutMarkers(s string) string {
	s = attributes.ReplaceAllString(includes.ReplaceAllString(s, ""), "")
	return box.ReplaceAllStringFunc(s, func(line string) string {
		m := box.FindStringSubmatch(line)
		return cmp.Or(m[2], m[3], strings.TrimSpace(m[4]), m[1])
	})
}

func (p *prose) next() int {
	if p.plain.Len() == 0 {
		return 0
	}
	return p.plain.Len() + len("\n\n")
}

func (p *prose) lineOf(n ast.Node) int {
	from, _ := bounds(n, len(p.source))
	return bytes.LastIndexByte(p.source[:from], '\n') + 1
}

func (p *prose) emit(s string) {
	if s == "" {
		return
	}
	if p.plain.Len() > 0 {
		p.plain.WriteString("\n\n")
	}
	p.plain.WriteString(s)
}

// inline returns the text of a block without markup. If first is true, inline also records the block's links.
func (p *prose) inline(block ast.Node, first bool) string {
	var b strings.Builder
	walk(block, func(n ast.Node) ast.WalkStatus {
		switch n := n.(type) {
		case *ast.Text:
			if value := n.Segment.Value(p.source); n.IsRaw() {
				b.Write(value)
			} else {
				b.WriteString(unescape(value))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(p.source))
			if first && n.AutoLinkType == ast.AutoLinkURL {
				p.note(block, n, string(n.URL(p.source)), string(n.Label(p.source)))
			}
		case *ast.Link:
			if first {
				p.note(block, n, string(n.Destination), "")
			}
		case *ast.RawHTML:
			if first {
				p.rawLink(block, n)
			}
		case *ast.Image:
			if !first {
				return ast.WalkSkipChildren
			}
		}
		return ast.WalkContinue
	})
	return wikiLink.ReplaceAllStringFunc(b.String(), wikiText)
}

func (p *prose) note(block, link ast.Node, url, label string) {
	if url == "" || strings.HasPrefix(url, "#") {
		return
	}
	text, at := p.label(link)
	label = cmp.Or(label, text)
	if label == "" && !link.HasChildren() { // the link is invisible
		return
	}
	p.links = append(p.links, Link{URL: url, Text: label, Context: p.context(block, at, url)})
}

func (p *prose) label(link ast.Node) (text string, at int) {
	var b strings.Builder
	at = -1
	walk(link, func(n ast.Node) ast.WalkStatus {
		if t, ok := n.(*ast.Text); ok {
			if at < 0 {
				at = t.Segment.Start
			}
			b.WriteString(unescape(t.Segment.Value(p.source)))
		}
		return ast.WalkContinue
	})
	return strings.Join(strings.Fields(b.String()), " "), at
}

func (p *prose) context(block ast.Node, place int, url string) string {
	from, to := bounds(block, len(p.source))
	if from >= to {
		return ""
	}
	part := p.source[from:to]
	at := 0
	if place >= from && place < to {
		at = place - from
	} else if i := bytes.Index(part, []byte(url)); i >= 0 {
		at = i
	}
	return oneLine(sentence(string(part), at), maxContext)
}

func bounds(block ast.Node, end int) (from, to int) {
	lines := block.Lines()
	if lines == nil || lines.Len() == 0 {
		return 0, 0
	}
	return lines.At(0).Start, min(end, lines.At(lines.Len()-1).Stop)
}

func numbered(s string) bool {
	number := s[len(strings.TrimRight(s, "0123456789.")):]
	before := strings.TrimSuffix(s, number)
	return number != "" && (before == "" || strings.ContainsAny(before[len(before)-1:], "\n[(*_"))
}

// sentence returns the sentence around an offset in a paragraph. A full stop before a lower-case letter or after a
// chapter's number does not end a sentence.
func sentence(s string, at int) string {
	from, to := 0, len(s)
	for i := 0; i+1 < len(s); i++ {
		if !strings.ContainsRune(".!?", rune(s[i])) || !strings.ContainsRune(" \n\t", rune(s[i+1])) {
			continue
		}
		if next := strings.TrimLeft(s[i+1:], " \n\t"); next == "" || next[0] >= 'a' && next[0] <= 'z' || numbered(s[:i]) {
			continue
		}
		if i < at {
			from = i + 2
		} else {
			to = i + 1
			break
		}
	}
	if from > at {
		from = 0
	}
	// Keep the link in the shortened sentence.
	if to-from > maxContext && at-from > maxContext/2 {
		from = at - maxContext/2
		if i := strings.IndexByte(s[from:at], ' '); i >= 0 {
			from += i + 1
		}
	}
	return strings.ToValidUTF8(s[from:to], "")
}
