// Package lang describes each language in a file of its own: the form and visibility of its names, and the nodes of
// its grammar that define, call, import and declare.
//
// It must not know files, indexes or parsers. It contains data, and functions on names and nodes.
//
// It has no goroutines. Everything is read-only after init.
package lang

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sight is the visibility of a definition in other files of the language.
type Sight uint8

// The kinds of sight.
const (
	Everywhere Sight = iota // without naming the file: Ruby, Swift, SQL
	Package                 // in the same folder; elsewhere by an import: Go, Java
	Named                   // by an import that names it: Python, JavaScript
	Included                // by an import of its file: C
)

// TypePlace is the place of a variable's type.
type TypePlace uint8

// The places.
const (
	TypeNone   TypePlace = iota
	TypeColon            // after the name and a colon
	TypeNext             // after the name
	TypeBefore           // before the name
)

// ImportForm is the form of a language's imports.
type ImportForm uint8

// The forms.
const (
	ImportLine   ImportForm = iota // a keyword and a name
	ImportScript                   // import … from, require
	ImportFrom                     // from … import
	ImportPath                     // paths of packages
)

// HeadingForm is the form of a document's headings.
type HeadingForm uint8

// The forms.
const (
	NoHeadings HeadingForm = iota
	Markdown
	ASCIIDoc
	ReStructured
	PlainText
)

// Sort classifies the files of a language.
type Sort uint8

// The sorts.
const (
	Code  Sort = iota
	Data       // values by keys: XML, YAML
	Prose      // text: Markdown
)

// Language describes a language.
type Language struct {
	Name       string
	Extensions string // in lower case, without the dot; for shared ones see ambiguous
	Files      string // whole names of files, in lower case
	Programs   string // of a first line #!/usr/bin/env python3, without version
	Also       string // aliases used by users and editors
	Family     string // shared by languages whose code uses each other's names
	Sort       Sort
	NoNames    bool        // its files define nothing
	Headings   HeadingForm // its files are documents, cut by headings
	Sight      Sight
	// Fold is true if names are case-insensitive.
	Fold bool
	// Signs are characters that names may have inside, besides letters, digits and underscores.
	Signs string
	// Marked is true if a name may end in ! or ?, which distinguishes it from the name without.
	Marked bool
	// Apostrophes is true if an apostrophe is no quotation mark.
	Apostrophes bool
	// Bare is true if a member is used without its object inside its type.
	Bare bool
	// Type is the place of a variable's type.
	Type TypePlace
	// Imports is the form of its imports.
	Imports ImportForm
	// Importers begin the calls that import (Elixir).
	Importers []string
	// Self is the name of the object itself, through which attributes are initialized.
	Self string
	// Member is an additional operator between an object and its member.
	Member string
	// Arrow is true if -> accesses a member, Slices if :: does not separate names.
	Arrow, Slices bool
	// Dollar is true if variables begin with $, Bang if macros are called with !.
	Dollar, Bang bool
	// Packages is true if an import names a package and members of packages are always qualified, Crates if names are
	// accessed through nested modules, FileClass if a file is a class to other languages.
	Packages, Crates, FileClass bool
	// FieldKeys is true if keys name fields of types, KeyArguments if they are arguments of calls.
	FieldKeys, KeyArguments bool
	// Qualified is true if a member is never used without its object, BareConstants if constants in types are.
	Qualified, BareConstants bool
	// Static is true if static definitions are visible only in their file, StaticConst if constants are too.
	Static, StaticConst bool
	// Types of nodes: the page around code, variables and words of a shell, what embeds a type, an assignment that
	// declares its variable.
	Page, Variable, Word, Embedding, Assigning string
	// DocStrings is true if documentation is a string after a signature. Documentation parses the beginning of one in
	// another form; see the comments of package chunk.
	DocStrings    bool
	Documentation func(line string) (text, closing string, comment bool)
	// Embedded matches code in another language. The last two matched groups are the attributes of its element, and the
	// code. Everything else is blanked for that language's grammar, to preserve all offsets. A match without groups
	// contains no code.
	Embedded *regexp.Regexp
	// Inner is the language of embedded code; "" means that of scripts. Members is true if it is the body of a class.
	Inner   string
	Members bool
	// Quoted reports whether an occurrence in a string or comment is code; see Occurrence.Code.
	Quoted   func(*Occurrence) (code bool, class string)
	Comments Comments
	Layout   *Layout // nil if a grammar exists, or nothing is known

	// Rules are those of its grammar, by types of nodes; nil without one.
	Rules rules
	// Prepare returns another text of the same length without constructs that the grammar does not know; may be nil.
	Prepare func(string) string
	Retry   []Change // tried in order if the grammar leaves something unparsed
}

// Comments is the syntax of comments.
type Comments struct {
	Lines  []string // prefixes of a comment up to the line's end
	Blocks []Enclosed
}

// Enclosed is a pair of delimiters of a comment of several lines.
type Enclosed struct{ Open, Close string }

var (
	slashes, hash, dashes = []string{"//"}, []string{"#"}, []string{"--"}
	starred               = []Enclosed{{"/*", "*/"}}
	// ofAny is for unknown languages. It lacks «#», which before a word is as often a directive.
	ofAny = Comments{[]string{"//", "# ", "-- ", ";", "%"}, []Enclosed{{"/*", "*/"}, {"{-", "-}"}, {"(*", "*)"},
		{"<!--", "-->"}}}
)

// CommentsOf returns the syntax of comments of a language.
func CommentsOf(name string) Comments {
	l := languages[name]
	switch {
	case l == nil:
		return ofAny
	case len(l.Comments.Lines)+len(l.Comments.Blocks) > 0:
		return l.Comments
	case l.Layout == nil:
		return ofAny
	}
	c := Comments{Lines: l.Layout.Comments}
	if l.Layout.Open != "" {
		c.Blocks = []Enclosed{{l.Layout.Open, l.Layout.Close}}
	}
	return c
}

// The tables of add, by name, extension, file, program and alias.
var (
	languages           = map[string]*Language{}
	byExtension, byFile = map[string]string{}, map[string]string{}
	byProgram, also     = map[string]string{}, map[string]string{}
)

// add registers a language. Each has a file that calls it.
func add(l Language) *Language {
	if l.Family == "" {
		l.Family = l.Name
	}
	languages[l.Name] = &l
	note := func(words string, into map[string]string) {
		for w := range strings.FieldsSeq(words) {
			into[w] = l.Name
		}
	}
	note(l.Extensions, byExtension)
	note(l.Files, byFile)
	note(l.Programs, byProgram)
	note(l.Also, also)
	return &l
}

// Of returns the description of a language by package chunk's name for it.
func Of(name string) *Language {
	if l := languages[name]; l != nil {
		return l
	}
	return &Language{Name: name, Family: name}
}

// Family returns the name of the family of languages that use each other's names.
func Family(name string) string { return Of(name).Family }

// Sigils may precede a name without being a part of it.
const Sigils = "$@%&-.#`'\"<>;,*~"

// Bare returns a name without leading sigils.
func Bare(name string) string {
	if t := strings.TrimLeft(name, Sigils); t != "" {
		return t
	}
	return name
}

// Same reports whether two names are the same in the language.
func (l *Language) Same(a, b string) bool { return a == b || l.Fold && strings.EqualFold(a, b) }

// WordRune reports whether a character belongs to names in every language.
func WordRune(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) ||
		'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// Whole reports whether text[start:end] is a name and not a part of a longer one.
func (l *Language) Whole(text string, start, end int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:start])
	after, m := utf8.DecodeRuneInString(text[end:])
	if n > 0 && WordRune(before) || m > 0 && WordRune(after) {
		return false
	}
	if n > 0 && strings.ContainsRune(l.Signs, before) {
		if r, k := utf8.DecodeLastRuneInString(text[:start-n]); k > 0 && WordRune(r) {
			return false
		}
	}
	if m > 0 && strings.ContainsRune(l.Signs, after) {
		if r, k := utf8.DecodeRuneInString(text[end+m:]); k > 0 && WordRune(r) {
			return false
		}
	}
	rest := text[end:]
	return !l.Marked || len(rest) == 0 || rest[0] != '!' && rest[0] != '?' || strings.HasPrefix(rest[1:], "=")
}

// Occurrences calls each for the places of a name in a text, until it returns false.
func (l *Language) Occurrences(text, name string, each func(start, end int) bool) {
	if name == "" {
		return
	}
	if l.Fold {
		for _, m := range folded(name).FindAllStringIndex(text, -1) {
			if l.Whole(text, m[0], m[1]) && !each(m[0], m[1]) {
				return
			}
		}
		return
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return
		}
		start := from + i
		from = start + len(name)
		if l.Whole(text, start, from) && !each(start, from) {
			return
		}
	}
}

// Has reports whether a text contains a name, which is faster than parsing it.
func (l *Language) Has(text, name string) (found bool) {
	l.Occurrences(text, name, func(int, int) bool { found = true; return false })
	return found
}

func folded(name string) *regexp.Regexp { return regexp.MustCompile("(?i)" + regexp.QuoteMeta(name)) }

// Split splits a typed name into its scopes and last part: "auth.Sessions#rotate" is rotate in Sessions in auth. A
// sign that names of the language may contain is no separator.
func (l *Language) Split(typed string) (scopes []string, name string) {
	typed = strings.TrimSpace(typed)
	typed = strings.TrimSuffix(strings.TrimSuffix(typed, "()"), "(")
	parts := strings.FieldsFunc(strings.ReplaceAll(typed, "->", "\\"), func(r rune) bool {
		return strings.ContainsRune(".:#/\\ *&()", r) && !strings.ContainsRune(l.Signs, r)
	})
	if len(parts) == 0 {
		return nil, ""
	}
	name = strings.TrimLeft(Bare(parts[len(parts)-1]), "!?")
	return parts[:len(parts)-1], strings.TrimRight(name, "`'\"<>;,")
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Marks returns the prefixes of comments of a language.
func Marks(name string) []string {
	c := CommentsOf(name)
	marks := append([]string(nil), c.Lines...)
	for _, b := range c.Blocks {
		if !strings.ContainsAny(b.Open, `"'`) {
			marks = append(marks, b.Open)
		}
	}
	return marks
}
