// Package lang describes each language in a table: the form and visibility of its names, and the nodes of its grammar
// that define, call, import and declare.
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

const (
	Everywhere Sight = iota // without an import: Ruby, Swift, SQL
	Package                 // in the same folder, otherwise by an import: Go, Java
	Named                   // by an import that names it: Python, JavaScript
	Included                // by an import of its file: C
)

// TypePlace is the position of a variable's type.
type TypePlace uint8

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

// Language describes a language. Its table is in the folder languages.
type Language struct {
	Name       string
	Extensions []string // in lower case, without the dot; ambiguous lists shared extensions
	Files      []string // whole names of files, in lower case
	Programs   []string // interpreters in #! lines, without version
	Also       []string // aliases used by users and editors
	Family     string   // shared by languages that use each other's names
	Sort       Sort
	NoNames    bool        // its files define no names
	Headings   HeadingForm // its files are documents that are cut by headings
	Comments   Comments

	Sight       Sight
	Fold        bool      // names are case-insensitive
	Signs       string    // characters in names besides letters, digits and underscores
	Marked      bool      // a final ! or ? may distinguish names
	Apostrophes bool      // an apostrophe is not a quotation mark
	Bare        bool      // inside a type, members are used without their object
	Type        TypePlace // position of a variable's type
	Imports     ImportForm
	Importers   []string // calls that import (Elixir)
	Affixes     []string // words that frameworks leave out of names: get- is a prefix, -async a suffix
	Self        string   // the object through which attributes are initialized
	Operator    string   // an additional operator between an object and its member
	Arrow       bool     // -> accesses a member
	Slices      bool     // :: does not separate names
	Dollar      bool     // variables begin with $
	Bang        bool     // macros are called with !
	Packages    bool     // imports name packages, whose members are always qualified
	Passes      bool     // imported names are exported
	Crates      bool     // names are accessed through nested modules
	FileClass   bool     // a file is a class to other languages
	FieldKeys   bool     // keys of literals name fields of types
	KeyArguments,
	Qualified, // a member is never used without its object
	BareConstants, // except for constants
	Static, // static definitions are private to their file
	StaticConst bool // constants are, too

	// Implicit matches names that the language or its library calls without the name, for example by an operator.
	Implicit *Pattern
	// Types of nodes: the page around code, variables and words of a shell, a type that another type embeds, and an
	// assignment that declares its variable.
	Page, Variable, Word, Embedding, Assigning string
	// Quoted reports whether an occurrence in a string or comment is code; see Occurrence.Code.
	Quoted func(*Occurrence) (code bool, class string)
	// DocStrings is true if documentation is a string after a signature. Documentation, if not nil, parses the first line
	// of a comment or documentation string.
	DocStrings    bool
	Documentation func(line string) (text, closing string, comment bool)

	// Embedded matches code in another language. The last two matched groups are the enclosing element's attributes, and
	// the code. Everything else is blanked for that language's grammar. A match without groups contains no code.
	Embedded  *Pattern
	Inner     string // language of embedded code; "" for scripts
	ClassBody bool   // embedded code is the body of a class
	Component bool   // a file is a component named like the file

	// Rules describe the grammar's types of nodes, if any.
	Rules map[string]*Rule
	// Prepare, if not nil, returns a text of the same length without constructs that the grammar does not know.
	Prepare func(string) string
	Retry   []Change // tried in order if the grammar leaves something unparsed

	// These fields are for languages without a grammar: lines that define something, see Definition and Member.
	Defs      []Definition
	Members   []Member
	Header    *Pattern
	Attribute *Pattern   // lines that belong to the following part
	Behind    *Pattern   // unindented lines that continue the preceding part
	Reserved  []string   // words that are never names
	Strings   []Enclosed // strings of several lines, in which nothing is defined
	// Body matches the first lines of blocks of statements, whose names are not symbols. Holds matches the first lines of
	// blocks with members, even among statements.
	Body, Holds *Pattern
}

// ByLines reports whether definitions are found by lines.
func (l *Language) ByLines() bool { return len(l.Defs) > 0 }

// Comments is the syntax of comments.
type Comments struct {
	Lines  []string // prefixes of a comment up to the line's end
	Blocks []Enclosed
}

// Enclosed is the pair of delimiters of a block comment.
type Enclosed struct{ Open, Close string }

// ofAny is the syntax for unknown languages. It requires a space after "#", because "#word" is as often a directive.
var ofAny = Comments{[]string{"//", "# ", "-- ", ";", "%"}, []Enclosed{{"/*", "*/"}, {"{-", "-}"}, {"(*", "*)"},
	{"<!--", "-->"}}}

// CommentsOf returns a language's syntax of comments.
func CommentsOf(name string) Comments {
	if c := Of(name).Comments; len(c.Lines)+len(c.Blocks) > 0 {
		return c
	}
	return ofAny
}

// Of returns the description of a language.
func Of(name string) *Language {
	if l := known().languages[name]; l != nil {
		return l
	}
	return &Language{Name: name, Family: name}
}

// Family returns the family of a language. Languages of a family use each other's names.
func Family(name string) string { return Of(name).Family }

// Sigils are the signs that may precede a name without being part of it.
const Sigils = "$@%&-.#`'\"<>;,*~"

// Bare returns a name without leading sigils.
func Bare(name string) string {
	if t := strings.TrimLeft(name, Sigils); t != "" {
		return t
	}
	return name
}

// Same reports whether two names are equal in the language.
func (l *Language) Same(a, b string) bool { return a == b || l.Fold && strings.EqualFold(a, b) }

// WordRune reports whether a character may be part of a name in every language.
func WordRune(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) ||
		'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// Whole reports whether text[start:end] is not part of a longer name.
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

// Occurrences passes the occurrences of a name in a text to each, until it returns false.
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

// Has reports whether a text contains a name.
func (l *Language) Has(text, name string) (found bool) {
	l.Occurrences(text, name, func(int, int) bool { found = true; return false })
	return found
}

func folded(name string) *regexp.Regexp { return regexp.MustCompile("(?i)" + regexp.QuoteMeta(name)) }

// suffixes are type arguments, signatures and arities after a name.
var suffixes = regexp.MustCompile(`(?:<[^<>]*>|\(.*\)|\(|/\d+)$`)

// Split splits the name typed into scopes and name: "auth.Sessions#rotate" into auth, Sessions and rotate. Signs that
// may be part of the language's names do not separate.
func (l *Language) Split(typed string) (scopes []string, name string) {
	typed = strings.TrimSpace(typed)
	typed = arguments.ReplaceAllString(typed, "$1")
	if short := suffixes.ReplaceAllString(typed, ""); strings.ContainsFunc(short, WordRune) {
		typed = short
	}
	typed = strings.ReplaceAll(typed, "->", "\\")
	if !strings.Contains(l.Signs, "$") {
		typed = nested.ReplaceAllString(typed, "$1.$2") // as Outer$Inner in Java
	}
	parts := strings.FieldsFunc(typed, func(r rune) bool {
		return strings.ContainsRune(".:#/\\ *&()", r) && !strings.ContainsRune(l.Signs, r)
	})
	if len(parts) == 0 {
		return nil, ""
	}
	name = strings.TrimLeft(Bare(parts[len(parts)-1]), "!?")
	return parts[:len(parts)-1], strings.TrimRight(name, "`'\"<>;,")
}

// arguments matches type arguments before a member.
var arguments = regexp.MustCompile(`<[^<>]*>([.:#])`)

var nested = regexp.MustCompile(`([\pL\pN])\$(\p{Lu})`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Marks returns the prefixes of a language's comments.
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
