package excerpt

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/chunk"
)

// Source is what an excerpt is made of: consecutive whole lines of a file.
type Source struct {
	Text     string
	First    int // number of the first line, from 1
	Language string
	Symbols  []string // the names that the text defines
}

// Line is a line of an excerpt.
type Line struct {
	Number int
	Text   string // without its terminator; the part around the match, where it is long
}

// Excerpt is what was picked of a source.
type Excerpt struct {
	// Lines are in the order in which they are worth showing: the declaration, the line that says most, what stands around
	// it, further ones. Any number of the first ones makes an excerpt.
	Lines []Line
	Best  int // the number of the line that says most
	// Start and End are the first and last line of the declaration that the first line belongs to, its comment left out;
	// of the whole source where it defines nothing.
	Start, End int
	// Inside says that the lines stand in a declaration that began before the source.
	Inside bool
	// Header says that the source holds nothing but licence, imports and the like.
	Header bool
	// Found is the share of the query, [0,1], that the source shows.
	Found float64
}

// Sizes.
const (
	maxLine   = 240 // bytes shown of a line: what is longer was hardly written by a person to be read as one
	maxName   = 100 // of a declaration that only says what else is here
	maxPicked = 40  // lines picked: more than any answer shows
)

// Kinds of lines by what they say, relative to a line of code.
const (
	commentWorth = 0.8
	headerWorth  = 0.05
	strayWorth   = 0.6  // outside of the best segment
	aliasWorth   = 0.3  // what an interface demands of every type, "type Error = Infallible;"
	sureWorth    = 2.0  // of a query: all of it is there, and it is the declaration's name
	leastWorth   = 0.12 // of the best line's worth: a line below it tells nothing
	leastHeader  = 0.3  // share of the query that a header's line has to have beside declarations: most say "under", "for"
)

// line is a line of a source in the making of an excerpt.
type line struct {
	text   string
	role   chunk.LineRole
	indent int
	found  found
	seg    int  // the segment it belongs to, -1 before the first
	alias  bool // see alias
	taken  bool
	brief  bool // taken for what it declares
}

// segment is the stretch of lines that belongs to one declaration, up to the next one.
type segment struct {
	top, sig, last int // first line with its comment, the declaration's own, the last before the next segment
	end            int // the declaration's last line, what it holds included
	indent         int
	worth          float64
}

type picker struct {
	q       *Query
	src     Source
	lines   []line
	segs    []segment
	starts  []int // offset of each line in the source's text
	telling []int // lines that show something of the query
	out     []int
	best    int // the line that says most, the declaration's own where no other says more
	room    int // bytes that are still to be filled
	shown   found
}

// Pick picks the telling lines of a source, about room bytes of them.
func (q *Query) Pick(src Source, room int) Excerpt {
	p := &picker{q: q, src: src, room: room}
	p.read()
	if len(p.lines) == 0 {
		return Excerpt{Start: src.First, End: src.First}
	}
	p.segment()
	best := p.weigh()
	p.choose(best)
	return p.excerpt(best)
}

// read splits the source into lines and looks for the query in each.
func (p *picker) read() {
	roles := chunk.Lines(p.src.Text, p.src.Language, p.src.First)
	p.lines = make([]line, 0, len(roles))
	at := 0
	for text := range strings.Lines(p.src.Text) {
		p.starts = append(p.starts, at)
		at += len(text)
		text = strings.TrimRight(text, "\r\n")
		l := line{text: text, role: roles[len(p.lines)], indent: indent(text), seg: -1}
		if l.role != chunk.LineBlank && l.role != chunk.LineCloser {
			if l.found = p.q.in(text); l.found.any() != 0 &&
				(l.role != chunk.LineCode || prose[p.src.Language] || !keywordsAlone(text)) {
				p.telling = append(p.telling, len(p.lines))
				if l.role == chunk.LineComment && exampleImport.MatchString(text) {
					l.role = chunk.LineHeader
				}
				l.alias = l.indent > 0 && alias.MatchString(text)
			}
		}
		p.lines = append(p.lines, l)
	}
}

// exampleImport matches an import in a comment's example, "/// # use tokio::net::TcpListener;", which tells as little
// as the file's own.
var exampleImport = regexp.MustCompile(
	`^[\s/*!#>-]*(?:(?:pub )?use [\w:]+(?:::|;)|extern crate |from [\w.]+ import |include [<"]|` +
		`import (?:["'{*]|[\w.*]+(?: as \w+)?;?$|.* from ["'])|(?:const|let|var) .*= require\()`)

// alias matches an associated type, and an alias within a type: "type Error = Infallible;".
var alias = regexp.MustCompile(`^\s+(?:\w+ )?(?:type|typealias|using) \w+(?:<[^=]*>)? = [^{]*$`)

// keywords are words of languages that people ask with as well: "what is returned by default".
var keywords = wordSet(`return default else break continue try finally new end then done pass nil null none true false
	err`)

// prose are the languages whose lines are sentences and headings.
var prose = wordSet("markdown asciidoc restructuredtext text html")

// keywordsAlone reports whether a line has keywords and no name: "return", "} else {".
func keywordsAlone(line string) bool {
	const longest = 40 // bytes of such a line, its indentation included
	if len(line) > longest {
		return false
	}
	for w := range strings.FieldsFuncSeq(line, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
		if !keywords[strings.ToLower(w)] {
			return false
		}
	}
	return true
}

// indent is the width of a line's leading white space, a tab counting as four.
func indent(s string) int {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// segment finds the lines that declare the source's symbols and what belongs to each.
func (p *picker) segment() {
	sigs := map[int]bool{}
	for _, s := range p.src.Symbols {
		if s == "_" { // Rust's "const _: () = { … }" has no name to tell
			continue
		}
		if i := p.declaration(s); i >= 0 {
			sigs[i] = true
		}
	}
	if len(p.src.Symbols) == 0 {
		for i := range p.lines {
			if heading(p.lines, i, p.src.Language) {
				sigs[i] = true
			}
		}
	}
	for i := range p.lines {
		if sigs[i] {
			p.segs = append(p.segs, segment{top: p.commented(i), sig: i, indent: p.lines[i].indent})
		}
	}
	for i := range p.segs {
		s := &p.segs[i]
		s.last, s.end = len(p.lines)-1, len(p.lines)-1
		if i+1 < len(p.segs) {
			s.last = max(s.sig, p.segs[i+1].top-1)
		}
		for _, next := range p.segs[i+1:] {
			if next.indent <= s.indent {
				s.end = max(s.sig, next.top-1)
				break
			}
		}
		for s.end > s.sig && p.lines[s.end].role == chunk.LineBlank {
			s.end--
		}
		for j := s.top; j <= s.last; j++ {
			p.lines[j].seg = i
		}
	}
}

// commented is the first line of the comment and attributes right above a declaration, or the declaration's own.
func (p *picker) commented(sig int) int {
	top := sig
	for top > 0 {
		l := p.lines[top-1]
		attribute := l.role == chunk.LineCode && l.indent == p.lines[sig].indent &&
			strings.HasPrefix(strings.TrimSpace(l.text), "@") ||
			strings.HasPrefix(strings.TrimSpace(l.text), "#[")
		if l.role != chunk.LineComment && !attribute {
			break
		}
		top--
	}
	return top
}

// declarators are words that stand before the name that they declare.
var declarators = wordSet(`func function def fn fun sub proc method macro class struct interface trait enum type
	typedef union record object module namespace protocol extension impl const let var val static public private
	protected internal final abstract defmodule defp defmacro data newtype macro_rules! define local async pub export
	default override suspend inline template typename mixin actor init constructor operator get set`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// declaration is the line that declares a symbol, -1 if none seems to.
func (p *picker) declaration(symbol string) int {
	best, at := 0, -1
	for from := 0; best < certain && symbol != ""; {
		off := strings.Index(p.src.Text[from:], symbol)
		if off < 0 {
			break
		}
		i, found := slices.BinarySearch(p.starts, from+off)
		if !found {
			i--
		}
		from = len(p.src.Text)
		if i+1 < len(p.starts) {
			from = p.starts[i+1]
		}
		if p.lines[i].role != chunk.LineCode {
			continue
		}
		if v := declares(p.lines[i].text, symbol); v > best {
			best, at = v, i
		}
	}
	return at
}

// certain is the likeness of a line that can't but declare the name.
const certain = 5

// Declaration is the line of a source that declares a name, if one seems to.
func Declaration(src Source, name string) (Line, bool) {
	p := &picker{q: NewQuery(nil, false), src: src}
	p.read()
	i := p.declaration(name)
	if i < 0 {
		return Line{}, false
	}
	return Line{Number: src.First + i, Text: p.q.window(p.lines[i].text, maxLine)}, true
}

// declares is how much a line looks as if it declared a symbol: 0 if it doesn't name it.
func declares(text, symbol string) int {
	if symbol == "" { // it is found everywhere, without end
		return 0
	}
	best := 0
	for from := 0; ; {
		i := strings.Index(text[from:], symbol)
		if i < 0 {
			return best
		}
		i += from
		from = i + len(symbol)
		if i > 0 && isWord(text[i-1]) && isWord(symbol[0]) || from < len(text) && isWord(text[from]) &&
			isWord(symbol[len(symbol)-1]) {
			continue
		}
		best = max(best, likeness(strings.TrimSpace(text[:i]), strings.TrimSpace(text[from:])))
	}
}

// likeness judges what stands before and after a name.
func likeness(before, after string) int {
	word := before
	if i := strings.LastIndexAny(before, " \t("); i >= 0 {
		word = before[i+1:]
	}
	opens := after == "" || strings.ContainsAny(after[:1], "(<{:=[") && !strings.HasPrefix(after, "==")
	switch {
	case declarators[strings.TrimLeft(word, "#(")] && !strings.ContainsAny(before, "=;"):
		return certain
	case strings.HasPrefix(before, "func (") && strings.HasSuffix(before, ")"):
		return certain
	case word == "case" && strings.HasPrefix(after, ":"):
		return 0 // a name that a switch compares with
	case before == "" && after != "" && isWord(after[0]) && strings.Contains(after, " = "):
		return 3 // a type stands behind it, in a group of Go's constants
	case before == "" && after == ":":
		return 2 // a label, such as that of a switch, which names are declared before
	case before == "" && opens:
		return 3
	case opens && !strings.ContainsAny(before, "=;({.") && !strings.HasPrefix(before, "return") &&
		!strings.HasSuffix(after, ";"):
		return 4 // a type stands before it
	case opens && strings.HasPrefix(after, "=") && !strings.ContainsAny(before, "=;("):
		return 3
	case opens && !strings.ContainsAny(before, "=;("):
		return 2
	}
	return 1
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

// heading reports whether a line is a heading of prose.
func heading(lines []line, i int, language string) bool {
	t := strings.TrimSpace(lines[i].text)
	switch language {
	case "markdown":
		return strings.HasPrefix(t, "#") && strings.HasPrefix(strings.TrimLeft(t, "#"), " ")
	case "asciidoc":
		return strings.HasPrefix(t, "=") && strings.HasPrefix(strings.TrimLeft(t, "="), " ")
	case "restructuredtext", "text":
		if i+1 == len(lines) || t == "" {
			return false
		}
		under := strings.TrimSpace(lines[i+1].text)
		return len(under) >= 3 && strings.Trim(under, under[:1]) == "" && strings.ContainsAny(under[:1], "=-~^\"'*+#") &&
			len(under)+2 >= len(t)
	}
	return false
}

// weigh values the segments and returns the best one, -1 if the source declares nothing or what stands before the first
// declaration says more.
func (p *picker) weigh() int {
	best, at := 0.0, -1
	outside := found{}
	for _, l := range p.lines {
		if l.seg < 0 && l.role != chunk.LineHeader {
			outside.add(l.found)
		}
	}
	for i := range p.segs {
		s := &p.segs[i]
		var all found
		for _, l := range p.lines[s.top : s.last+1] {
			if l.role != chunk.LineHeader {
				all.add(l.found)
			}
		}
		s.worth = p.q.worth(all, found{})
		for _, symbol := range p.src.Symbols {
			if p.declares(s.sig, symbol) {
				s.worth += p.q.name(symbol)
			}
		}
		if p.lines[s.sig].alias {
			s.worth *= aliasWorth
		}
		if s.worth > best {
			best, at = s.worth, i
		}
	}
	switch {
	case at < 0 && len(p.segs) > 0:
		// nothing of the query is here: the meaning is the first one's, as far as anybody can tell
		return 0
	case at >= 0 && p.q.worth(outside, found{}) > 1.3*best:
		return -1
	}
	return at
}

func (p *picker) declares(sig int, symbol string) bool {
	return declares(p.lines[sig].text, symbol) > 1
}

// take adds a line to those picked.
func (p *picker) take(i int) {
	if i < 0 || i >= len(p.lines) || p.lines[i].taken || p.full() || p.lines[i].role == chunk.LineBlank {
		return
	}
	p.lines[i].taken = true
	p.room -= min(len(p.lines[i].text), maxLine) + 1
	p.shown.add(p.lines[i].found)
	p.out = append(p.out, i)
}

func (p *picker) full() bool { return p.room <= 0 || len(p.out) >= maxPicked }

// choose puts the lines in the order of what they are worth.
func (p *picker) choose(best int) {
	if best >= 0 {
		p.best = p.segs[best].sig
		p.take(p.best)
		p.parents(best)
	}
	top, telling := 0.0, p.best
	for n := 0; !p.full(); n++ {
		i, v := p.next(best)
		if i < 0 || v < leastWorth*top {
			break
		}
		top = max(top, v)
		if s := p.lines[i].seg; s >= 0 && s != best {
			p.take(p.segs[s].sig)
		}
		p.take(i)
		if n > 0 {
			continue
		}
		telling = i
		if best < 0 || p.says(i) > p.says(p.best) {
			p.best = i
		}
		if !p.sure(best) {
			p.others(best)
		}
		if p.lines[i].role == chunk.LineCode { // what it leads to, and what it depends on
			p.near(i, i+1)
			p.near(i, i-1)
		}
	}
	if best < 0 {
		for i := range p.lines {
			if p.lines[i].role != chunk.LineHeader {
				p.take(i)
			}
		}
		if len(p.out) == 0 { // nothing but a header: an excerpt has a line
			for i := range p.lines {
				p.take(i)
			}
		}
		return
	}
	p.comment(best)
	if !p.sure(best) {
		p.others(best)
	}
	p.around(telling, p.segs[best].sig, p.segs[best].last)
	p.others(best)
}

// says is how much of the query a line shows, whatever others show.
func (p *picker) says(i int) float64 {
	v := p.q.worth(p.lines[i].found, found{})
	if p.lines[i].role == chunk.LineComment {
		v *= commentWorth
	}
	return v
}

// around takes the lines about one, the nearest first, within its declaration.
func (p *picker) around(at, first, last int) {
	for d := 1; at-d >= first || at+d <= last; d++ {
		if at+d <= last {
			p.take(at + d)
		}
		if at-d >= first {
			p.take(at - d)
		}
	}
}

// sure reports whether the best declaration is what was asked for, so that its body says more than what else is
// declared.
func (p *picker) sure(best int) bool { return best >= 0 && p.segs[best].worth >= sureWorth }

// parents takes the declarations that a declaration stands in, innermost first.
func (p *picker) parents(seg int) {
	width := p.segs[seg].indent
	for i := seg - 1; i >= 0 && width > 0; i-- {
		if s := p.segs[i]; s.indent < width {
			p.take(s.sig)
			width = s.indent
		}
	}
}

// next is the line that adds most to those picked.
func (p *picker) next(best int) (at int, worth float64) {
	at = -1
	for _, i := range p.telling {
		l := &p.lines[i]
		if l.taken {
			continue
		}
		if l.role == chunk.LineHeader && best >= 0 && p.q.worth(l.found, found{}) < leastHeader {
			continue
		}
		v := p.q.worth(l.found, p.shown)
		switch l.role {
		case chunk.LineComment:
			v *= commentWorth
		case chunk.LineHeader:
			v *= headerWorth
		}
		if l.seg != best {
			v *= strayWorth
		}
		if l.alias {
			v *= aliasWorth
		}
		if v > worth+1e-9 {
			at, worth = i, v
		}
	}
	return at, worth
}

// near takes a line beside a picked one, if it belongs to the same declaration.
func (p *picker) near(of, i int) {
	if i >= 0 && i < len(p.lines) && p.lines[i].seg == p.lines[of].seg && p.lines[i].role == chunk.LineCode &&
		!p.lines[i].poor() {
		p.take(i)
	}
}

// poorLetters is how many letters and digits a line has at most that says nothing by itself: "return nil", "} else {".
const poorLetters = 10

// poor reports whether a line has nothing of the query and next to nothing else.
func (l *line) poor() bool {
	n := 0
	for i := 0; i < len(l.text) && n <= poorLetters; i++ {
		if c := l.text[i]; isWord(c) && c != '_' {
			n++
		}
	}
	return n <= poorLetters && l.found.any() == 0
}

// comment takes the first line of a declaration's comment.
func (p *picker) comment(seg int) {
	s := p.segs[seg]
	for i := s.top; i < s.sig; i++ {
		if p.lines[i].role == chunk.LineComment && strings.ContainsFunc(p.lines[i].text, letter) {
			p.take(i)
			return
		}
	}
	// Some languages have it behind the declaration.
	for i := s.sig + 1; i <= min(s.last, s.sig+3); i++ {
		if p.lines[i].role == chunk.LineComment && strings.ContainsFunc(p.lines[i].text, letter) {
			p.take(i)
			return
		}
	}
}

func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80 }

// others takes the other declarations, the best first: what they are called says what else is here.
func (p *picker) others(best int) {
	order := make([]int, 0, len(p.segs))
	for i := range p.segs {
		if i != best {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.segs[b].worth, p.segs[a].worth) })
	for _, i := range order {
		if sig := &p.lines[p.segs[i].sig]; !sig.taken {
			sig.brief = true
			p.take(p.segs[i].sig)
		}
	}
}

// excerpt makes the result.
func (p *picker) excerpt(best int) Excerpt {
	e := Excerpt{Start: p.src.First, End: p.src.First + len(p.lines) - 1, Inside: best < 0, Header: true}
	if best >= 0 {
		e.Start, e.End = p.src.First+p.segs[best].sig, p.src.First+p.segs[best].end
	}
	var all found
	for _, l := range p.lines {
		all.add(l.found)
		if l.role == chunk.LineCode || l.role == chunk.LineComment {
			e.Header = false
		}
	}
	for i, a := range p.q.atoms {
		if all.any()>>i&1 == 1 {
			e.Found += a.weight
		}
	}
	if len(p.out) > 0 && !p.lines[p.best].taken { // nothing says anything of the query
		p.best = p.out[0]
	}
	e.Best = p.src.First + p.best
	e.Lines = make([]Line, len(p.out))
	for i, at := range p.out {
		l, limit := p.lines[at], maxLine
		if l.brief {
			limit = maxName
		}
		e.Lines[i] = Line{Number: p.src.First + at, Text: p.q.window(l.text, limit)}
	}
	return e
}
