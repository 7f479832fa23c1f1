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

// parser reads CommonMark with GitHub's tables, strike-through, bare links and task lists. It is safe for concurrent
// use.
var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// readMarkdown reads a Markdown file: front matter first, then the first H1 and the first paragraph.
func (d *Document) readMarkdown(s string) {
	values, body := frontMatter(s)
	d.take(values)
	d.Body = body
	p := walkMarkdown(body)
	d.Plain, d.Headings, d.Links, d.Abstract = p.plain.String(), p.headings, p.links, p.abstract
	slugs(d.Headings)
	d.Title, d.Description = cmp.Or(d.Title, p.title), cmp.Or(d.Description, p.paragraph)
}

// prose is what a walk through a Markdown text collects.
type prose struct {
	source    []byte
	plain     strings.Builder
	headings  []Heading
	links     []Link
	title     string // of the first H1
	paragraph string // the first text block that is no heading
	abstract  string // the first that tells something
}

func walkMarkdown(s string) *prose {
	p := &prose{source: []byte(s)}
	walk(parser.Parse(text.NewReader(p.source)), p.block)
	return p
}

// walk visits a node and those below it; visit says whether to go deeper.
func walk(n ast.Node, visit func(ast.Node) ast.WalkStatus) {
	// The walker's error is the callback's, which returns none.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return visit(n), nil
	})
}

// block takes one block of the text in.
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
		t := strings.TrimSpace(asRead(p.inline(n, true)))
		p.emit(t)
		if p.paragraph == "" || p.abstract == "" {
			words := strings.TrimSpace(asRead(p.inline(n, false))) // a row of badges is no description
			p.paragraph = cmp.Or(p.paragraph, words)
			if p.abstract == "" && Telling(words) {
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

// What generators of sites add to Markdown (MkDocs, Docusaurus, VitePress, Hugo, Jekyll) and no reader sees: texts that
// are included, commands, attributes. What opens a box or a tab is read as its title, or as its kind.
var (
	includes = regexp.MustCompile(
		`(?m)^[ \t]*(?:--8<-- .*|\{![^}\n]*!\}|\{%[^\n]*%\}|\{\{[<%][^\n]*[%>]\}\}|:{3,})[ \t]*(?:\n|\z)`)
	attributes = regexp.MustCompile(`[ \t]*\{:[^}\n]*\}`)
	box        = regexp.MustCompile(
		`(?m)^(?:!!!|\?\?\?\+?|===[+!]?|:{3,})[ \t]*([\w-]*)(?:[ \t]+inline(?:[ \t]+end)?)?[ \t]*(?:"([^"\n]*)"|\[([^\]\n]*)\]|([^\n]*))$`)
)

// asRead is a paragraph without them.
func asRead(s string) string {
	s = attributes.ReplaceAllString(includes.ReplaceAllString(s, ""), "")
	return box.ReplaceAllStringFunc(s, func(line string) string {
		m := box.FindStringSubmatch(line)
		return cmp.Or(m[2], m[3], strings.TrimSpace(m[4]), m[1])
	})
}

// next is the place in the text of what is emitted next.
func (p *prose) next() int {
	if p.plain.Len() == 0 {
		return 0
	}
	return p.plain.Len() + len("\n\n")
}

// lineOf is the beginning of the line in which a block begins.
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

// inline is the text of a block without its markup; images count by their description, if at all. With images, links
// are noted: it is called once that way.
func (p *prose) inline(block ast.Node, images bool) string {
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
			if images && n.AutoLinkType == ast.AutoLinkURL {
				p.note(block, n, string(n.URL(p.source)), string(n.Label(p.source)))
			}
		case *ast.Link:
			if images {
				p.note(block, n, string(n.Destination), "")
			}
		case *ast.RawHTML:
			if images {
				p.rawLink(block, n)
			}
		case *ast.Image:
			if !images {
				return ast.WalkSkipChildren
			}
		}
		return ast.WalkContinue
	})
	return wikiLink.ReplaceAllStringFunc(b.String(), wikiText)
}

// note keeps a link.
func (p *prose) note(block, link ast.Node, url, label string) {
	if url == "" || strings.HasPrefix(url, "#") {
		return
	}
	text, at := p.label(link)
	label = cmp.Or(label, text)
	if label == "" && !link.HasChildren() { // a button: nobody can see that it is a link
		return
	}
	p.links = append(p.links, Link{URL: url, Text: label, Context: p.context(block, at, url)})
}

// label is the text within a link, and the place of the first of it, -1 if there is none.
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

// context is the sentence of the source in which a link stands: at a place of the source, or where its address is.
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

// bounds is a block's place in the source.
func bounds(block ast.Node, end int) (from, to int) {
	lines := block.Lines()
	if lines == nil || lines.Len() == 0 {
		return 0, 0
	}
	return lines.At(0).Start, min(end, lines.At(lines.Len()-1).Stop)
}

// numbered reports a text that ends with a number such as 6.12 at the beginning of a line or of a link, as the one
// before a chapter's name does.
func numbered(s string) bool {
	number := s[len(strings.TrimRight(s, "0123456789.")):]
	before := strings.TrimSuffix(s, number)
	return number != "" && (before == "" || strings.ContainsAny(before[len(before)-1:], "\n[(*_"))
}

// sentence cuts the sentence around a place out of a paragraph. A full stop ends one when white space and something
// that is no small letter follow; within a link it ends none, because white space does not follow there, and after the
// number of a chapter it ends none.
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
	// Keep the link in view where the sentence is longer than what is kept.
	if to-from > maxContext && at-from > maxContext/2 {
		from = at - maxContext/2
		if i := strings.IndexByte(s[from:at], ' '); i >= 0 {
			from += i + 1
		}
	}
	return strings.ToValidUTF8(s[from:to], "")
}
