package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"
	"time"

	library "github.com/ledongthuc/pdf"
)

// Document is what is read of a file.
type Document struct {
	Title string // of its metadata, "" if there is none
	Date  string // YYYY-MM-DD of its metadata, "" if there is none
	Text  string // lines, an empty line between paragraphs and pages
}

// Why a file has no text. The texts end a sentence about the file.
var (
	ErrEncrypted = errors.New("it can't be read without a password")
	ErrNoText    = errors.New("it has no text, only pictures")
	ErrTooLong   = errors.New("it takes too long to read")
	errBroken    = errors.New("it can't be read as PDF")
)

// Limits of one file.
const (
	maxText  = 16 << 20 // bytes: a document's
	maxForms = 8        // forms within forms
	maxDepth = 64       // pages within pages: a balanced tree of a million has six
	maxNodes = 100_000  // pages and what holds them
)

// Read takes the text out of a file, within about the time that is given.
func Read(data []byte, within time.Duration) (d Document, err error) {
	defer func() { // the library's answer to what it does not expect
		switch p := recover(); {
		case p == nil:
		case p == ErrTooLong: //nolint:errorlint // the value itself was thrown
			err = ErrTooLong
		default:
			err = fmt.Errorf("%w: %v", errBroken, p)
		}
	}()
	file := &opening{bytes.NewReader(data), 1000 + len(data)/32}
	r, err := library.NewReader(file, int64(len(data)))
	switch {
	case errors.Is(err, ErrTooLong):
		return d, err
	case errors.Is(err, library.ErrInvalidPassword):
		return d, ErrEncrypted
	case err != nil:
		return d, fmt.Errorf("%w: %w", errBroken, err)
	}
	file.left = math.MaxInt
	l := layout{until: time.Now().Add(within), fonts: map[string]*font{}}
	l.pages(r.Trailer().Key("Root").Key("Pages"), library.Value{}, 0)
	info := r.Trailer().Key("Info")
	d = Document{Title: title(info), Date: day(info), Text: l.String()}
	if strings.TrimSpace(d.Text) == "" {
		return d, ErrNoText
	}
	return d, nil
}

// opening is a file that is read so many times while it is opened: its tables name the one before, in a circle too,
// which the library follows for ever.
type opening struct {
	*bytes.Reader
	left int
}

func (o *opening) ReadAt(b []byte, at int64) (int, error) {
	if o.left--; o.left < 0 {
		panic(ErrTooLong)
	}
	return o.Reader.ReadAt(b, at)
}

// pages draws what is below a node of the tree of pages. The tree is walked here, from the top, since the library
// follows nodes to their parents and back as the file has them, circles too.
func (l *layout) pages(node, resources library.Value, depth int) {
	l.check()
	if l.nodes++; l.nodes > maxNodes || depth > maxDepth || l.text.Len() >= maxText {
		return
	}
	if own := node.Key("Resources"); !own.IsNull() {
		resources = own
	}
	switch node.Key("Type").Name() {
	case "Pages":
		for kids, i := node.Key("Kids"), 0; i < kids.Len(); i++ {
			l.pages(kids.Index(i), resources, depth+1)
		}
	case "Page":
		clear(l.fonts) // names are the page's
		l.begin()
		l.draw(node.Key("Contents"), resources, identity, 0)
	}
}

// title is the file's own; what a word processor put there, the name of its own file, is none.
func title(info library.Value) string {
	s := strings.Join(strings.Fields(info.Key("Title").Text()), " ")
	switch strings.ToLower(path.Ext(s)) {
	case ".doc", ".docx", ".dvi", ".indd", ".odt", ".pdf", ".ps", ".qxd", ".rtf", ".tex", ".wpd":
		return ""
	}
	if strings.Contains(s, `:\`) || strings.EqualFold(s, "untitled") {
		return ""
	}
	return strings.TrimPrefix(s, "Microsoft Word - ")
}

// check ends the reading when its time is over.
func (l *layout) check() {
	if time.Now().After(l.until) {
		panic(ErrTooLong)
	}
}

// day is the date of a file's last change or of its making: "D:20160317…".
func day(info library.Value) string {
	for _, key := range []string{"ModDate", "CreationDate"} {
		s := strings.TrimPrefix(info.Key(key).RawString(), "D:")
		if len(s) < 8 {
			continue
		}
		if t, err := time.Parse("20060102", s[:8]); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// matrix is [a b c d e f] of the specification: a point is [x y 1] times it.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// matrixOf is that of six numbers.
func matrixOf(number func(i int) float64) (m matrix) {
	for i := range m {
		m[i] = number(i)
	}
	return m
}

// times is m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// font is one of a page's, with what of it is asked for each glyph.
type font struct {
	decode library.TextEncoding
	widths []float64 // thousandths of the size, from first on
	first  int
	wide   bool // codes of two bytes, whose widths the library does not tell
}

// width is that of a code, in sizes; where it is not known, that of an average letter.
func (f *font) width(code int) float64 {
	if i := code - f.first; !f.wide && i >= 0 && i < len(f.widths) && f.widths[i] > 0 {
		return f.widths[i] / 1000
	}
	return 0.5
}

// state is the part of the graphics state that text needs.
type state struct {
	ctm                                    matrix
	font                                   *font
	size, scale, letter, word, leading, up float64
}

// drawing is one content stream being interpreted.
type drawing struct {
	*layout
	state
	saved      []state
	text, line matrix // text matrix and text line matrix
	resources  library.Value
	depth      int
}

// draw interprets a content stream: a page's, or a form's.
func (l *layout) draw(stream, resources library.Value, ctm matrix, depth int) {
	if stream.IsNull() {
		return
	}
	d := &drawing{layout: l, state: state{ctm: ctm, scale: 1}, text: identity, line: identity,
		resources: resources, depth: depth}
	library.Interpret(stream, d.operator)
}

// operator carries out one operator; those that have nothing to do with text are passed over.
func (d *drawing) operator(stack *library.Stack, op string) {
	if d.steps++; d.steps%256 == 0 {
		d.check()
	}
	n := stack.Len()
	args := make([]library.Value, n)
	for i := n - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	number := func(i int) float64 {
		if i < n {
			return args[i].Float64()
		}
		return 0
	}
	switch op {
	case "q":
		d.saved = append(d.saved, d.state)
	case "Q":
		if last := len(d.saved) - 1; last >= 0 {
			d.state, d.saved = d.saved[last], d.saved[:last]
		}
	case "cm":
		d.ctm = matrixOf(number).times(d.ctm)
	case "Do":
		d.form(args)
	case "BT":
		d.text, d.line = identity, identity
	case "Tc":
		d.letter = number(0)
	case "Tw":
		d.word = number(0)
	case "Tz":
		d.scale = number(0) / 100
	case "TL":
		d.leading = number(0)
	case "Ts":
		d.up = number(0)
	case "Tf":
		if n == 2 {
			d.font, d.size = d.fontOf(args[0].Name()), args[1].Float64()
		}
	case "Tm":
		d.line = matrixOf(number)
		d.text = d.line
	case "TD":
		d.leading = -number(1)
		fallthrough
	case "Td":
		d.move(number(0), number(1))
	case "T*":
		d.move(0, -d.leading)
	case "\"":
		d.word, d.letter = number(0), number(1)
		fallthrough
	case "'":
		d.move(0, -d.leading)
		fallthrough
	case "Tj":
		d.show(args)
	case "TJ":
		if n > 0 {
			d.showParts(args[n-1])
		}
	}
}

func (d *drawing) move(x, y float64) {
	d.line = matrix{1, 0, 0, 1, x, y}.times(d.line)
	d.text = d.line
}

// form draws a form, a part of a page that is kept by itself.
func (d *drawing) form(args []library.Value) {
	if len(args) == 0 || d.depth >= maxForms {
		return
	}
	object := d.resources.Key("XObject").Key(args[0].Name())
	if object.Key("Subtype").Name() != "Form" {
		return
	}
	ctm := d.ctm
	if m := object.Key("Matrix"); m.Len() == 6 {
		ctm = matrixOf(func(i int) float64 { return m.Index(i).Float64() }).times(ctm)
	}
	resources := object.Key("Resources")
	if resources.IsNull() {
		resources = d.resources
	}
	outer := d.fonts // its names are its own
	d.fonts = map[string]*font{}
	d.draw(object, resources, ctm, d.depth+1)
	d.fonts = outer
}

func (d *drawing) fontOf(name string) *font {
	if f := d.fonts[name]; f != nil {
		return f
	}
	v := library.Font{V: d.resources.Key("Font").Key(name)}
	f := &font{decode: v.Encoder(), widths: v.Widths(), first: v.FirstChar(), wide: v.V.Key("Subtype").Name() == "Type0"}
	d.fonts[name] = f
	return f
}

// show draws the last argument, a string.
func (d *drawing) show(args []library.Value) {
	if len(args) > 0 {
		d.glyphs(args[len(args)-1].RawString())
	}
}

// showParts draws strings with numbers between them, which move what follows to the left.
func (d *drawing) showParts(parts library.Value) {
	for i := range parts.Len() {
		if part := parts.Index(i); part.Kind() == library.String {
			d.glyphs(part.RawString())
		} else {
			d.advance(-part.Float64() / 1000 * d.size * d.scale)
		}
	}
}

func (d *drawing) advance(x float64) { d.text = matrix{1, 0, 0, 1, x, 0}.times(d.text) }

// glyphs draws a string where the text stands, and moves on by its width.
func (d *drawing) glyphs(raw string) {
	if d.font == nil || raw == "" {
		return
	}
	at := matrix{d.size * d.scale, 0, 0, d.size, 0, d.up}.times(d.text).times(d.ctm)
	bytes := 1
	if d.font.wide {
		bytes = 2
	}
	width := 0.0
	for i := 0; i < len(raw); i += bytes {
		width += d.font.width(int(raw[i]))*d.size + d.letter
		if !d.font.wide && raw[i] == ' ' {
			width += d.word
		}
	}
	d.advance(width * d.scale)
	end := matrix{1, 0, 0, 1, 0, d.up}.times(d.text).times(d.ctm)
	d.place(d.font.decode.Decode(raw), at, end)
}
