package chunk

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

// section is a heading with the lines up to the next heading. Level 0 is the text before the first heading.
type section struct {
	first, last int
	level       int
	path        []string // headings, outermost first
}

// byHeadings cuts prose into sections. Small neighbours are joined, and long sections are cut at paragraphs.
func byHeadings(src *source, form lang.HeadingForm, l limits) ([]Piece, []api.Decl) {
	marks := scanProse(src, form)
	var joined []section
	var decls []api.Decl
	for _, s := range marks.sections(src) {
		if n := len(s.path); n > 0 {
			sp := src.trim(src.lineSpan(s.first, s.last))
			decls = append(decls, api.Decl{Name: s.path[n-1], Kind: KindSection, Scope: s.path[:n-1],
				Signature: strings.TrimSpace(src.line(s.first)), Start: s.first + 1, Line: s.first + 1,
				End: src.lineAt(max(sp.start, sp.end-1)) + 1})
		}
		if n := len(joined); n > 0 && joined[n-1].joins(src, s) {
			cur := &joined[n-1]
			cur.last, cur.path = s.last, common(cur.path, s.path)
		} else {
			joined = append(joined, s)
		}
	}
	var out []Piece
	for _, s := range joined {
		out = append(out, marks.pieces(src, s, l)...)
	}
	return out, decls
}

// Prose reports whether files of a language are documents with headings.
func Prose(language string) bool {
	form := lang.Of(language).Headings
	return form != lang.NoHeadings && form != lang.PlainText
}

// Sections returns the sections of a document, or nil for code.
func Sections(language, text string) []api.Decl {
	form := lang.Of(language).Headings
	if form == lang.NoHeadings {
		return nil
	}
	_, decls := byHeadings(sourceOf(text), form, limitsOf(api.CorpusDocs))
	return decls
}

// joins reports whether the following section b is joined to a.
func (a *section) joins(src *source, b section) bool {
	x, y := src.size(a.first, a.last), src.size(b.first, b.last)
	if x < crumbSize || a.level == 0 && x < small {
		return x+y <= readable
	}
	return x+y <= merged && min(x, y) < small && b.level >= a.level
}

// common returns the common prefix of two paths, or b if a is empty.
func common(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == 0 && len(a) == 0 {
		return b
	}
	return a[:n]
}

type prose struct {
	headings []heading
	fenced   []bool // lines of fenced code or front matter, which are never cut
}

type heading struct {
	line, level int
	title       string
}

var (
	atxHeading  = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	adocHeading = regexp.MustCompile(`^(={1,6})[ \t]+(\S.*?)[ \t]*$`)
	htmlHeading = regexp.MustCompile(`^ {0,3}<[hH]([1-6])(?:\s[^>]*)?>(.*)</[hH][1-6]>[ \t]*$`)
	fenceOpen   = regexp.MustCompile("^ {0,3}(```+|~~~+|----+$|\\.\\.\\.\\.+$)")
	underline   = regexp.MustCompile(`^([=\-~^"'` + "`" + `#*+.:_])+[ \t]*$`)
	mdImage     = regexp.MustCompile(`!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	mdLink      = regexp.MustCompile(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	htmlImage   = regexp.MustCompile(`(?i)<img\b[^>]*?(?:\balt=(?:"([^"]*)"|'([^']*)')[^>]*)?>`)
	// htmlTag matches elements in headings, but not type parameters as in "Vec<T>".
	htmlTag = regexp.MustCompile(`</?(?:a|abbr|b|big|br|center|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|picture|` +
		`s|samp|small|source|span|strike|strong|sub|sup|tt|u|var|wbr)(?:\s[^>]*)?/?>`)
	htmlComment = regexp.MustCompile(`<!--.*?-->`)
	headingID   = regexp.MustCompile(`\s*\{#[^}]*\}\s*$`)
)

func scanProse(src *source, form lang.HeadingForm) prose {
	p := prose{fenced: make([]bool, src.lines())}
	n := p.frontMatter(src)
	fence := ""
	var ranks []byte // underline characters of reStructuredText titles, in order of appearance
	for i := n; i < src.lines(); i++ {
		line := src.line(i)
		if fence != "" {
			p.fenced[i] = true
			if t := strings.TrimSpace(line); strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if m := openFence(form, line); m != "" {
			fence, p.fenced[i] = m, true
			continue
		}
		if h := headingAt(src, form, i, &ranks); h.title != "" {
			p.headings = append(p.headings, h)
		}
	}
	return p
}

// openFence returns the sign that closes the fenced code that a line opens, or "".
func openFence(form lang.HeadingForm, line string) string {
	if form == lang.ReStructured || form == lang.PlainText {
		return ""
	}
	m := fenceOpen.FindStringSubmatch(line)
	if m == nil || strings.ContainsAny(m[1], "-.") != (form == lang.ASCIIDoc) {
		return ""
	}
	return m[1]
}

// frontMatter marks a YAML or TOML block at the top as fenced. It returns the line after the block, or 0.
func (p *prose) frontMatter(src *source) int {
	if src.lines() == 0 {
		return 0
	}
	open := strings.TrimRight(src.line(0), " \t")
	if open != "---" && open != "+++" {
		return 0
	}
	for i := 1; i < src.lines(); i++ {
		if t := strings.TrimRight(src.line(i), " \t"); t == open || open == "---" && t == "..." {
			for k := range i + 1 {
				p.fenced[k] = true
			}
			return i + 1
		}
	}
	return 0
}

func headingAt(src *source, form lang.HeadingForm, i int, ranks *[]byte) heading {
	line := src.line(i)
	switch form {
	case lang.Markdown:
		if m := atxHeading.FindStringSubmatch(line); m != nil {
			return heading{i, len(m[1]), titleOf(m[2])}
		}
		if m := htmlHeading.FindStringSubmatch(line); m != nil {
			return heading{i, int(m[1][0] - '0'), titleOf(m[2])}
		}
	case lang.ASCIIDoc:
		if m := adocHeading.FindStringSubmatch(line); m != nil {
			return heading{i, len(m[1]), titleOf(m[2])}
		}
		return heading{}
	}
	return underlined(src, form, i, ranks)
}

// underlined returns the heading at line i if its title is underlined.
func underlined(src *source, form lang.HeadingForm, i int, ranks *[]byte) heading {
	if i+1 >= src.lines() || src.blank(i) || i > 0 && !src.blank(i-1) && !underline.MatchString(src.line(i-1)) {
		return heading{}
	}
	line, under := strings.TrimRight(src.line(i), " \t"), strings.TrimRight(src.line(i+1), " \t")
	if !uniform(under) || underline.MatchString(line) || indent(line) > 3 ||
		form == lang.ReStructured && indent(line) > 1 {
		return heading{}
	}
	mark := under[0]
	if form == lang.ReStructured || form == lang.PlainText {
		if utf8.RuneCountInString(under) < utf8.RuneCountInString(strings.TrimSpace(line)) || len(under) < 3 ||
			form == lang.PlainText && !strings.ContainsRune("=-~*#", rune(mark)) {
			return heading{}
		}
	} else if mark != '=' && mark != '-' || mark == '-' && strings.ContainsAny(line[:1], "-*+>|") {
		return heading{}
	}
	if form == lang.Markdown {
		return heading{i, 1 + strings.IndexByte("=-", mark), titleOf(line)}
	}
	first := i
	if i > 0 && uniform(strings.TrimRight(src.line(i-1), " \t")) && src.line(i - 1)[0] == mark {
		first--
		mark |= 0x80 // overlined titles have a rank of their own
	}
	level := bytes.IndexByte(*ranks, mark) + 1
	if level == 0 {
		*ranks = append(*ranks, mark)
		level = len(*ranks)
	}
	return heading{first, level, titleOf(line)}
}

func uniform(s string) bool {
	return len(s) > 1 && underline.MatchString(s) && strings.Count(s, s[:1]) == len(s)
}

// titleOf returns a heading's text without Markdown and HTML.
func titleOf(s string) string {
	s = headingID.ReplaceAllString(htmlComment.ReplaceAllString(s, ""), "")
	if bare := plainTitle(htmlImage.ReplaceAllString(mdImage.ReplaceAllString(s, ""), "")); bare != "" {
		return bare
	}
	return plainTitle(htmlImage.ReplaceAllString(mdImage.ReplaceAllString(s, "$1"), "$1$2"))
}

// plainTitle removes the markup of a heading.
func plainTitle(s string) string {
	s = strings.ReplaceAll(mdLink.ReplaceAllString(s, "$1"), "``", "`")
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			part = html.UnescapeString(htmlTag.ReplaceAllString(part, ""))
			part = strings.NewReplacer("**", "", "__", "", "\u00a0", " ").Replace(part)
		}
		b.WriteString(part)
	}
	return lang.CleanName(strings.Trim(b.String(), "* \t"))
}

func (p prose) sections(src *source) []section {
	n := src.lines()
	if n == 0 {
		return nil
	}
	out := []section{{first: 0, last: n - 1}}
	var path []heading
	for _, h := range p.headings {
		for len(path) > 0 && path[len(path)-1].level >= h.level {
			path = path[:len(path)-1]
		}
		path = append(path, h)
		titles := make([]string, len(path))
		for i, h := range path {
			titles[i] = h.title
		}
		s := section{first: h.line, last: n - 1, level: h.level, path: titles}
		if last := &out[len(out)-1]; h.line > last.first {
			last.last = h.line - 1
			out = append(out, s)
		} else {
			*last = s
		}
	}
	return out
}

// pieces returns a short section as one piece, and cuts a long section between paragraphs.
func (p prose) pieces(src *source, s section, l limits) []Piece {
	var out []Piece
	add := func(sp span) { out = append(out, Piece{Start: sp.start, End: sp.end, Breadcrumb: s.path}) }
	if src.size(s.first, s.last) <= l.size {
		add(src.lineSpan(s.first, s.last))
		return out
	}
	blocks := p.blocks(src, s)
	for from := 0; from < len(blocks); {
		if b := blocks[from]; src.size(b.first, b.last) > l.size {
			for _, sp := range src.split(src.lineSpan(b.first, b.last), l) {
				add(sp)
			}
			from++
			continue
		}
		to := from
		for to+1 < len(blocks) && src.size(blocks[from].first, blocks[to+1].last) <= l.size {
			to++
		}
		add(src.lineSpan(blocks[from].first, blocks[to].last))
		if to+1 == len(blocks) {
			break
		}
		next := to + 1
		for next-1 > from && src.size(blocks[next-1].first, blocks[to].last) <= l.overlap &&
			src.size(blocks[next-1].first, blocks[to+1].last) <= l.size {
			next--
		}
		from = next
	}
	return out
}

// blocks returns the paragraphs of a section with the blank lines that follow them.
func (p prose) blocks(src *source, s section) []section {
	var out []section
	for i := s.first; i <= s.last; i++ {
		if i == s.first || p.fenced[i] && !p.fenced[i-1] ||
			!p.fenced[i] && !src.blank(i) && (src.blank(i-1) || p.fenced[i-1]) {
			out = append(out, section{first: i})
		}
		out[len(out)-1].last = i
	}
	return out
}
