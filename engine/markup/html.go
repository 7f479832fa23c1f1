package markup

import (
	"cmp"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML reads a page: <title>, then <h1>; the description of <meta>, then the first <p>.
func (d *Document) readHTML(s string) {
	root, err := html.Parse(strings.NewReader(s))
	if err != nil { // nested deeper than any page: what is left is its text
		d.Plain = stripTags(s)
		d.Content = d.Plain
		return
	}
	d.readHead(root)
	d.readBody(root)
	d.Source = cmp.Or(d.Source, savedFrom(root))

	remove(root, unseen)
	d.Content = toMarkdown(root)
	p := walkMarkdown(d.Content)
	d.Headings, d.Links = p.headings, p.links

	d.Plain = p.plain.String()
	if trimmed := prune(root); trimmed {
		d.Plain = walkMarkdown(toMarkdown(mainOf(root))).plain.String()
	}
}

// readHead takes what <head> says.
func (d *Document) readHead(root *html.Node) {
	each(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Title:
			if d.Title == "" && !within(n, atom.Svg) {
				d.Title = strings.TrimSpace(textOf(n))
			}
		case atom.Meta:
			d.readMeta(strings.ToLower(cmp.Or(attr(n, "name"), attr(n, "property"), attr(n, "itemprop"))),
				strings.TrimSpace(attr(n, "content")))
		case atom.Link:
			if strings.EqualFold(attr(n, "rel"), "canonical") && Web(attr(n, "href")) {
				d.Source = attr(n, "href")
			}
		}
		return true
	})
}

func (d *Document) readMeta(name, content string) {
	switch name {
	case "description":
		d.Description = cmp.Or(d.Description, content)
	case "keywords":
		d.Tags = list(content)
	case "article:published_time", "date", "dc.date", "datepublished":
		d.Date = cmp.Or(d.Date, day(content))
	case "og:url":
		if d.Source == "" && Web(content) {
			d.Source = content
		}
	}
}

// readBody fills what <head> left open.
func (d *Document) readBody(root *html.Node) {
	each(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Noscript:
			return false
		case atom.H1:
			d.Title = cmp.Or(d.Title, strings.TrimSpace(textOf(n)))
		case atom.P:
			d.Description = cmp.Or(d.Description, strings.TrimSpace(textOf(n)))
		case atom.Time:
			d.Date = cmp.Or(d.Date, day(attr(n, "datetime")))
		}
		return true
	})
}

// savedFrom finds the address that browsers and page savers note in a comment at the top of a saved page.
func savedFrom(root *html.Node) string {
	found := ""
	each(root, func(n *html.Node) bool {
		if n.Type != html.CommentNode || found != "" {
			return found == ""
		}
		for _, mark := range []string{"saved from url=", "url: "} {
			if i := strings.Index(n.Data, mark); i >= 0 {
				rest := n.Data[i+len(mark):]
				if j := strings.IndexByte(rest, ')'); j >= 0 && strings.HasPrefix(rest, "(") {
					rest = rest[j+1:]
				}
				if f := strings.Fields(rest); len(f) > 0 && Web(f[0]) {
					found = f[0]
				}
			}
		}
		return true
	})
	return found
}

// unseen is what no reader of the page sees.
func unseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Head:
		return true
	}
	return n.Type == html.CommentNode
}

// repeated is what stands on every page of a site.
func repeated(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside:
		return true
	case atom.Header: // the site's, not an article's
		return !within(n, atom.Article) && !within(n, atom.Main)
	}
	switch attr(n, "role") {
	case "navigation", "contentinfo", "banner", "search":
		return true
	}
	return false
}

// prune takes out what is repeated; it reports whether the rest differs from the whole page.
func prune(root *html.Node) bool {
	return remove(root, repeated) || mainOf(root) != root
}

// mainOf is the page's <main>, the page if it has none.
func mainOf(root *html.Node) *html.Node {
	found := root
	each(root, func(n *html.Node) bool {
		if found == root && (n.DataAtom == atom.Main || n.Type == html.ElementNode && attr(n, "role") == "main") {
			found = n
		}
		return found == root
	})
	return found
}

func remove(root *html.Node, drop func(*html.Node) bool) (any bool) {
	var doomed []*html.Node
	each(root, func(n *html.Node) bool {
		if drop(n) {
			doomed = append(doomed, n)
			return false
		}
		return true
	})
	for _, n := range doomed {
		n.Parent.RemoveChild(n)
	}
	return len(doomed) > 0
}

// toMarkdown converts a page, or a part of one. What cannot be converted is served as its text.
func toMarkdown(n *html.Node) string {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin()))
	out, err := c.ConvertNode(n)
	if err != nil {
		return textOf(n)
	}
	return strings.TrimSpace(string(out))
}

// stripTags is the text of a piece of HTML that need not be well formed.
func stripTags(s string) string {
	z := html.NewTokenizer(strings.NewReader(s))
	var b strings.Builder
	skip := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "script" || string(name) == "style" {
				skip++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); (string(name) == "script" || string(name) == "style") && skip > 0 {
				skip--
			}
			b.WriteByte(' ')
		case html.TextToken:
			if skip == 0 {
				b.Write(z.Text())
			}
		}
	}
}

// each visits a node and those below it; visit says whether to go deeper.
func each(n *html.Node, visit func(*html.Node) bool) {
	if !visit(n) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, visit)
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	each(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		return n.DataAtom != atom.Script && n.DataAtom != atom.Style
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

func within(n *html.Node, a atom.Atom) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == a {
			return true
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
