package markup

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/go-shiori/dom"
	"github.com/go-shiori/go-readability"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML parses a page. The title is <title> or the first <h1>. The description is in <meta> or is the first <p>.
func (d *Document) readHTML(s string) {
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		d.Plain = stripTags(s)
		d.Body = d.Plain
		return
	}
	d.readHead(root)
	d.readBody(root)
	d.Source = cmp.Or(d.Source, savedFrom(root))

	remove(root, neverVisible)
	remove(root, permalink)
	turned := pagerBlocks(root)
	remove(root, func(n *html.Node) bool { return slices.Contains(turned, n) })
	remove(root, repeated)
	main := mainOf(root)
	if main == root && len(s) <= maxExtract {
		main = contentOf(root)
	}
	d.Body = toMarkdown(main)
	d.paragraphsOf(main, false)
	d.paragraphsOf(root, false)
	d.paragraphsOf(root, true)
	p := walkMarkdown(d.Body)
	d.Plain, d.Headings, d.Links = p.plain.String(), p.headings, p.links
	anchor(d.Headings, main)
	d.Redirect = d.Redirect || len(d.Plain) < 200 && strings.HasPrefix(strings.ToLower(d.Title), "redirect")
}

func pageContent(s string) string {
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return stripTags(s)
	}
	remove(root, neverVisible)
	remove(root, permalink)
	remove(root, popup)
	return toMarkdown(root)
}

func popup(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Main, atom.Article:
		return false
	case atom.Button, atom.Dialog:
		return true
	case atom.A:
		picture := find(n, func(c *html.Node) bool { return c.DataAtom == atom.Img })
		return dom.HasAttribute(n, "href") && picture == nil && textOf(n) == ""
	}
	switch attr(n, "role") {
	case "dialog", "menu", "menubar", "search":
		return true
	}
	return hidden(n) || slices.ContainsFunc(strings.Fields(attr(n, "class")+" "+attr(n, "id")),
		func(name string) bool { return slices.Contains(popups, strings.ToLower(name)) })
}

var popups = strings.Fields("mdbook-help-container help-container help-popup theme-popup menu-bar mdbook-menu-bar " +
	"search-wrapper mdbook-search-wrapper skip-link visually-hidden sr-only")

// maxExtract is the maximum size in bytes of a page that is passed to readability, which is slow for large pages.
const maxExtract = 2 << 20

// contentOf returns the element of a page that contains the article found by readability, or the whole page.
// readability removes parts of manuals, such as lists of parameters with many links.
func contentOf(root *html.Node) *html.Node {
	article, err := readability.FromDocument(root, &url.URL{})
	if err != nil || article.Node == nil {
		return root
	}
	kept, runes := map[string]bool{}, 0
	each(article.Node, func(n *html.Node) bool {
		if n.DataAtom == atom.P || n.DataAtom == atom.Pre {
			text := textOf(n)
			kept[text], runes = true, runes+len(text)
			return false
		}
		return true
	})
	if runes < 200 {
		return root
	}
	var common *html.Node
	each(root, func(n *html.Node) bool {
		if n.DataAtom != atom.P && n.DataAtom != atom.Pre {
			return true
		}
		if text := textOf(n); len(text) >= 20 && kept[text] {
			common = commonAncestor(cmp.Or(common, n.Parent), n.Parent)
		}
		return false
	})
	if common == nil || common.DataAtom == atom.Body {
		return root
	}
	return common
}

func commonAncestor(a, b *html.Node) *html.Node {
	above := append(slices.Collect(a.Ancestors()), a)
	for !slices.Contains(above, b) {
		b = b.Parent
	}
	return b
}

func (d *Document) paragraphsOf(part *html.Node, aside bool) {
	each(part, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Table:
			return aside
		case atom.Details:
			return aside || dom.HasAttribute(n, "open")
		case atom.P:
			text := textOf(n)
			d.Description = cmp.Or(d.Description, text)
			if d.Abstract == "" && Informative(text) {
				d.Abstract = text
			}
		}
		return d.Description == "" || d.Abstract == ""
	})
}

// Informative reports whether a paragraph can describe a document: it is long enough and ends like a sentence.
func Informative(s string) bool {
	runes := utf8.RuneCountInString(s)
	end := strings.TrimRight(s, ")\"”’»")
	ended := strings.ContainsAny(s, "。！？") || strings.Contains(s, ". ") || strings.HasSuffix(end,
		".") && !strings.HasSuffix(end, cutMark)
	// A sentence has seven words or, in scripts without spaces such as Chinese, 20 characters of three bytes.
	return ended && !strings.ContainsAny(s, "→⟶") && !strings.Contains(s, "::=") &&
		(runes >= 40 && strings.Count(s, " ") >= 6 || runes >= 20 && len(s) > 2*runes)
}

func anchor(headings []Heading, root *html.Node) {
	next := 0
	each(root, func(n *html.Node) bool {
		if !heading(n) {
			return true
		}
		text := textOf(n)
		for i := next; i < min(len(headings), next+8); i++ {
			if strings.Join(strings.Fields(headings[i].Text), "") == strings.Join(strings.Fields(text), "") {
				headings[i].Anchor, next = idOf(n), i+1
				break
			}
		}
		return false
	})
}

func heading(n *html.Node) bool {
	return slices.Contains([]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, n.DataAtom)
}

func idOf(h *html.Node) string {
	id := cmp.Or(attr(h, "id"), attr(h, anchorMark))
	each(h, func(n *html.Node) bool {
		if id == "" && n.Type == html.ElementNode {
			id = cmp.Or(attr(n, "id"), attr(n, "name"))
		}
		return id == ""
	})
	if id == "" && h.Parent != nil && h.Parent.DataAtom == atom.Section {
		id = attr(h.Parent, "id")
	}
	for p := h.Parent; id == "" && p != nil && (p.DataAtom == atom.Section || p.DataAtom == atom.Div) &&
		dom.FirstElementChild(p) == h; p = p.Parent {
		id = attr(p, "id")
	}
	return id
}

const anchorMark = "data-search-anchor"

// permalink reports whether n is a link such as "#" from a heading or line to itself.
func permalink(n *html.Node) bool {
	target, ok := strings.CutPrefix(attr(n, "href"), "#")
	if n.DataAtom != atom.A || !ok || target == "" {
		return false
	}
	text := textOf(n)
	itself := attr(n, "id") == target
	for p := n.Parent; p != nil && p.DataAtom != atom.Body; p = p.Parent {
		if heading(p) {
			if textOf(p) == text {
				return false
			}
			if utf8.RuneCountInString(text) > 1 && !itself {
				return false
			}
			p.Attr = append(p.Attr, html.Attribute{Key: anchorMark, Val: target})
			return true
		}
		itself = itself || attr(p, "id") == target
	}
	return itself && (utf8.RuneCountInString(text) <= 1 || strings.HasPrefix(text, "["))
}

func (d *Document) readHead(root *html.Node) {
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Title:
			if d.Title == "" && !within(n, atom.Svg) {
				d.Title = strings.TrimSpace(textOf(n))
			}
		case atom.Meta:
			if strings.EqualFold(attr(n, "http-equiv"), "refresh") &&
				strings.Contains(strings.ToLower(attr(n, "content")), "url") {
				d.Redirect = d.Redirect || !within(n, atom.Noscript)
			}
			d.readMeta(strings.ToLower(cmp.Or(attr(n, "name"), attr(n, "property"), attr(n, "itemprop"))),
				strings.TrimSpace(attr(n, "content")))
		case atom.Link:
			if strings.EqualFold(attr(n, "rel"), "canonical") && IsWebURL(attr(n, "href")) {
				d.Source = attr(n, "href")
			}
		}
	}
}

func (d *Document) readMeta(name, content string) {
	switch name {
	case "description":
		d.Description = cmp.Or(d.Description, content)
	case "robots":
		d.NoIndex = d.NoIndex || strings.Contains(strings.ToLower(content), "noindex")
	case "keywords":
		d.Tags = list(content)
	case "article:published_time", "date", "dc.date", "datepublished":
		d.Date = cmp.Or(d.Date, day(content))
	case "og:url":
		if d.Source == "" && IsWebURL(content) {
			d.Source = content
		}
	}
}

func (d *Document) readBody(root *html.Node) {
	each(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Noscript:
			return false
		case atom.H1:
			d.Title = cmp.Or(d.Title, strings.TrimSpace(textOf(n)))
		case atom.Time:
			d.Date = cmp.Or(d.Date, day(attr(n, "datetime")))
		}
		return true
	})
}

// savedMark matches the address in the comment of a browser ("saved from url=(0022)https://…") or of SingleFile.
var savedMark = regexp.MustCompile(`(?:saved from url=|url: )(?:\([^)]*\))?\s*(\S+)`)

func savedFrom(root *html.Node) string {
	for n := range root.Descendants() {
		if m := savedMark.FindStringSubmatch(n.Data); n.Type == html.CommentNode && m != nil && IsWebURL(m[1]) {
			return m[1]
		}
	}
	return ""
}

func neverVisible(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Head, atom.Svg:
		return true
	}
	return n.Type == html.CommentNode
}

func hidden(n *html.Node) bool {
	style := strings.ReplaceAll(strings.ToLower(attr(n, "style")), " ", "")
	return dom.HasAttribute(n, "hidden") || strings.Contains(style, "display:none")
}

func repeated(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside, atom.Dialog, atom.Button:
		return true
	case atom.Html, atom.Body, atom.Main, atom.Article:
		return false
	case atom.Header: // a site's header; an article's header is kept
		return !within(n, atom.Article) && !within(n, atom.Main)
	}
	switch attr(n, "role") {
	case "navigation", "contentinfo", "banner", "search", "complementary", "dialog", "menu", "menubar":
		return true
	}
	if hidden(n) {
		return true
	}
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Ul, atom.Ol, atom.Details, atom.Summary, atom.Span, atom.P, atom.Table, atom.A:
		return slices.ContainsFunc(strings.Fields(attr(n, "class")+" "+attr(n, "id")), isNavigation)
	}
	return false
}

func pagerBlocks(root *html.Node) []*html.Node {
	links, order := map[*html.Node]int{}, []*html.Node{} // number of links in each enclosing block
	each(root, func(n *html.Node) bool {
		if n.DataAtom != atom.A || !slices.ContainsFunc(strings.Fields(strings.ToLower(attr(n, "rel"))),
			func(rel string) bool {
				return rel == "next" || rel == "prev" || rel == "previous" || rel == "up"
			}) {
			return true
		}
		for p, up := n.Parent, 0; p != nil && up < 4; p, up = p.Parent, up+1 {
			if links[p]++; links[p] == 2 {
				order = append(order, p)
			}
		}
		return false
	})
	return slices.DeleteFunc(order, func(n *html.Node) bool {
		linked, content := 0, false
		each(n, func(c *html.Node) bool {
			content = content || heading(c) || c.DataAtom == atom.Main || c.DataAtom == atom.Article
			if c.DataAtom == atom.A {
				linked += len(textOf(c))
			}
			return c.DataAtom != atom.A
		})
		return content || len(textOf(n)) > 3*linked // the block has other content
	})
}

// isNavigation reports whether a class or id marks navigation, as in pages of mdBook, Sphinx or MediaWiki.
func isNavigation(name string) bool {
	name = strings.Trim(strings.ToLower(name), "-_")
	switch name {
	case "toc", "table-of-contents", "tableofcontents", "contents-list", "breadcrumb", "breadcrumbs", "menu",
		"menubar", "menu-bar", "nav", "navbar", "navigation", "navwrapper", "nav-wrapper", "nav-wide-wrapper",
		"nav-chapters", "mobile-nav-chapters", "sidebar", "sidebar-wrapper", "sphinxsidebar", "sidenav",
		"pagination", "pager", "prev-next", "skip-link", "skip-to-content", "skiplink", "headerlink", "footer",
		"site-footer", "page-footer", "site-header", "cookie-banner", "cookies", "searchbox", "search-wrapper",
		"search-box", "mdbook-help-container", "help-container", "help-popup", "edit-page", "edit-this-page",
		"back-to-top", "share-buttons", "related-posts", "comments", "visually-hidden", "sr-only", "toolbar",
		"alt-docs", "picker", "rightbar", "leftbar", "column2", "rightside", "hideme", "nav-panel",
		"mw-editsection", "jump-to-nav", "catlinks", "printfooter", "sitesub", "navbox", "sharedaddy",
		"jp-relatedposts", "comments-area", "comment-respond", "sharetools", "share-tools", "social-share",
		"newsletter", "advertisement":
		return true
	}
	return strings.HasSuffix(name, "-sidebar") || strings.HasSuffix(name, "-toc") ||
		slices.ContainsFunc([]string{"sidebar-", "breadcrumb-", "navbar-", "toc-", "pagination-"},
			func(begin string) bool { return strings.HasPrefix(name, begin) })
}

func mainOf(root *html.Node) *html.Node {
	return cmp.Or(find(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Main || n.Type == html.ElementNode && attr(n, "role") == "main"
	}), root)
}

func find(root *html.Node, wanted func(*html.Node) bool) *html.Node {
	for n := range root.Descendants() {
		if wanted(n) {
			return n
		}
	}
	return nil
}

func remove(root *html.Node, drop func(*html.Node) bool) {
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
}

func toMarkdown(n *html.Node) string {
	each(n, func(n *html.Node) bool {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" && !isSafe(a.Val) })
		for i, a := range n.Attr {
			if a.Key == "src" && strings.HasPrefix(a.Val, "data:") {
				n.Attr[i].Val = "data:,"
			}
		}
		return true
	})
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin()))
	out, err := c.ConvertNode(n)
	if err != nil {
		return textOf(n)
	}
	return strings.TrimSpace(string(out))
}

// isSafe reports whether address is relative or has an allowed scheme, which excludes javascript: addresses. Like
// browsers, it ignores blanks and control characters.
func isSafe(address string) bool {
	address = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, address)
	scheme, _, ok := strings.Cut(address, ":")
	return !ok || strings.ContainsAny(scheme, "/?#.") ||
		slices.Contains([]string{"http", "https", "ftp", "mailto", "tel", "file", "docs"}, scheme)
}

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
		if n.DataAtom == atom.Br {
			b.WriteByte(' ')
		}
		return n.DataAtom != atom.Script && n.DataAtom != atom.Style
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

func within(n *html.Node, a atom.Atom) bool {
	return slices.ContainsFunc(slices.Collect(n.Ancestors()), func(p *html.Node) bool { return p.DataAtom == a })
}

func attr(n *html.Node, key string) string { return dom.GetAttribute(n, key) }
