// Package lang describes each language in a table: the form and visibility of its names, and the types of syntax nodes
// that define, call, import and declare names.
//
// It must not depend on files, indexes or parsers.
//
// It starts no goroutines. Its data does not change after it is first parsed.
package lang

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visibility determines which other files can use a definition.
type Visibility string

const (
	Everywhere Visibility = ""         // without an import: Ruby, Swift, SQL
	Package    Visibility = "package"  // without an import in the same folder, elsewhere by an import: Go, Java
	Named      Visibility = "named"    // by an import that contains its name: Python, JavaScript
	Included   Visibility = "included" // by an import of its file: C
)

// TypePlace is the position of a variable's type: before or after its name.
type TypePlace string

const (
	TypeColon  TypePlace = "colon"  // after the name and a colon
	TypeNext   TypePlace = "next"   // after the name
	TypeBefore TypePlace = "before" // before the name
)

// ImportForm is the syntax of imports in a language.
type ImportForm string

const (
	ImportLine   ImportForm = ""       // a keyword and a name
	ImportScript ImportForm = "script" // import … from, require
	ImportFrom   ImportForm = "from"   // from … import
	ImportPath   ImportForm = "path"   // paths of packages
)

// HeadingForm is the syntax of headings in documents.
type HeadingForm string

const (
	NoHeadings   HeadingForm = ""
	Markdown     HeadingForm = "markdown"
	ASCIIDoc     HeadingForm = "asciidoc"
	ReStructured HeadingForm = "restructured"
	PlainText    HeadingForm = "plain"
)

// Category is the kind of content of a language's files.
type Category string

const (
	Code  Category = ""
	Data  Category = "data"  // values with keys: XML, YAML
	Prose Category = "prose" // text, such as Markdown
)

// Language describes a language, as parsed from a table in the folder languages.
type Language struct {
	Name       string
	Extensions []string // in lower case, without the dot
	Files      []string // complete file names, in lower case
	Programs   []string // interpreters in "#!" lines, without version numbers
	Aliases    []string // other names that users type
	Family     string   // languages of a family use each other's names
	Category   Category
	NoNames    bool
	Headings   HeadingForm // syntax of headings in documents
	Comments   Comments

	Visibility   Visibility
	Fold         bool   // names are case-insensitive
	Loose        bool   // case, except of the first letter, and underscores are not part of names
	Signs        string // characters in names besides letters, digits and underscores
	Marked       bool   // names may end with ! or ?
	Apostrophes  bool   // an apostrophe is not a quotation mark
	Nests        bool   // block comments contain block comments
	ImplicitSelf bool   // members are used without "this."
	Type         TypePlace
	Imports      ImportForm
	Importers    []string // functions that import, as in Elixir
	Affixes      []string // prefixes such as "get-" and suffixes such as "-async" that frameworks omit from names
	Self         string   // "self", "this" or "@"
	Operator     string   // an additional operator between an object and its member, as in Lua and PHP
	Arrow        bool     // -> accesses a member
	Slices       bool     // :: occurs in slices and does not separate names
	Dollar       bool     // variables begin with $
	Bang         bool     // macros are called with !
	Packages     bool     // members of an imported package are always qualified
	Reexports    bool     // imported names are exported, too, as in Python
	Crates       bool     // names are accessed through modules, as in Rust
	FileClass    bool     // other languages access the file as a class, as in Kotlin
	Selectors    bool     // names are used in attributes, which may contain several names
	FieldKeys    bool     // keys of a literal are fields of its type
	KeyArguments,
	Qualified, // a member is never used without its object
	UnqualifiedConstants, // constants, such as enumerators, are used without their type
	Static, // static definitions are private to their file
	StaticConst bool // constants are private to their file, too

	// Implicit matches functions that the language calls itself, for example for an operator.
	Implicit *Pattern
	// Types of syntax tree nodes. Page is the type of markup around code. Variable and Word are variables and plain words
	// of a shell. Embedding is a field that embeds a type. Assigning is an assignment that declares a variable.
	Page, Variable, Word, Embedding, Assigning string
	// Quoted reports whether an occurrence in a string or comment is code, such as a type in quotes. class is the class
	// of a PHP callable.
	Quoted func(*Occurrence) (code bool, class string)
	// DocStrings is true if a string after a signature is documentation. If Documentation is not nil, only matching
	// strings are documentation.
	DocStrings    bool
	Documentation *Pattern

	// Embedded matches code in another language. Each alternative has two groups, the attributes of the enclosing
	// element and the code.
	Embedded  *Pattern
	Inner     string // language of embedded code; "" means JavaScript or TypeScript
	ClassBody bool   // the embedded code is the body of a class
	Component bool   // each file is a component named after the file

	// Rules contains the rules by node type. It is nil without a grammar.
	Rules map[string]*Rule
	// Prepare contains functions that replace constructs unknown to the grammar. The text keeps its length.
	Prepare []func(string) string
	Retry   []Change // tried in order if the grammar can't parse the whole text

	// The following patterns find definitions line by line.
	Defs      []Definition
	Members   []Member
	Header    *Pattern
	Attribute *Pattern   // lines that belong to the following definition
	Behind    *Pattern   // unindented lines that belong to the preceding definition
	Reserved  []string   // words that are never names
	Strings   []Enclosed // multi-line strings
	// Body matches the first line of a block whose definitions are local. Nested matches the first line of a nested
	// block whose definitions are not.
	Body, Nested *Pattern
}

// ByLines reports whether definitions are found line by line.
func (l *Language) ByLines() bool { return len(l.Defs) > 0 }

type Comments struct {
	Lines  []string // signs that begin a comment up to the end of the line
	Blocks []Enclosed
}

// Enclosed contains the delimiters of a block comment or multi-line string.
type Enclosed struct{ Open, Close string }

// ofAny is the comment syntax assumed for unknown languages. "#" requires a space, because "#word" may be a directive.
var ofAny = Comments{[]string{"//", "# ", "-- ", ";", "%"}, []Enclosed{{"/*", "*/"}, {"{-", "-}"}, {"(*", "*)"},
	{"<!--", "-->"}}}

// CommentsOf returns a language's comment syntax, or a common syntax for an unknown language.
func CommentsOf(name string) Comments {
	if c := Of(name).Comments; len(c.Lines)+len(c.Blocks) > 0 {
		return c
	}
	return ofAny
}

// Of returns the description of the language called name. For an unknown language, only Name is set.
func Of(name string) *Language {
	if l := known().languages[name]; l != nil {
		return l
	}
	return &Language{Name: name, Family: name}
}

func Family(name string) string { return Of(name).Family }

// Sigils are the signs that may precede a name without being part of it.
const Sigils = "$@%&-.#`'\"<>;,*~"

// TrimSigils returns a name without leading sigils.
func TrimSigils(name string) string {
	if t := strings.TrimLeft(name, Sigils); t != "" {
		return t
	}
	return name
}

// Same reports whether a and b are the same name in the language.
func (l *Language) Same(a, b string) bool {
	return a == b || l.Fold && strings.EqualFold(a, b) || l.Loose && a != "" && strings.HasPrefix(b, a[:1]) &&
		strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
}

// WordRune reports whether r can be part of a name in every language.
func WordRune(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) ||
		'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func Upper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// WholeWord reports whether text[start:end] is a whole name, not a part of a longer one.
func (l *Language) WholeWord(text string, start, end int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:start])
	after, m := utf8.DecodeRuneInString(text[end:])
	first, _ := utf8.DecodeLastRuneInString(text[:start-n])
	last, _ := utf8.DecodeRuneInString(text[end+m:])
	if operator := !strings.ContainsFunc(text[start:end], WordRune); operator {
		return !strings.ContainsAny(string(before)+string(after), "!#$%&*+-./:<=>?@^|~\\")
	}
	discarded := l.Apostrophes && first == '#' && before == '_' // as "#_name" in Clojure
	word := text[len(strings.TrimRightFunc(text[:start], WordRune)):end]
	suffix := text[start] == '_' && '0' <= word[0] && word[0] <= '9' // as "_km" in "5_km" in C++
	if l.continues(before, first) && !discarded && !suffix || l.continues(after, last) {
		return false
	}
	rest := text[end:]
	return !l.Marked || len(rest) == 0 || rest[0] != '!' && rest[0] != '?' || strings.HasPrefix(rest[1:], "=")
}

// continues reports whether the character next to a name belongs to the name.
func (l *Language) continues(adjacent, next rune) bool {
	return WordRune(adjacent) || strings.ContainsRune(l.Signs, adjacent) && WordRune(next)
}

// Occurrences returns the start and end of the first occurrences of name in text, at most limit.
func (l *Language) Occurrences(text, name string, limit int) (out [][2]int) {
	next := func(text string) []int {
		at := strings.Index(text, name)
		return []int{at, at + len(name)}
	}
	if l.Loose && strings.ContainsFunc(name, WordRune) {
		next = anyWord.FindStringIndex
	} else if l.Fold {
		next = regexp.MustCompile("(?i)" + regexp.QuoteMeta(name)).FindStringIndex
	}
	for from := 0; name != "" && len(out) < limit; {
		m := next(text[from:])
		if m == nil || m[0] < 0 {
			break
		}
		start, end := from+m[0], from+m[1]
		if l.WholeWord(text, start, end) && l.Same(text[start:end], name) {
			out = append(out, [2]int{start, end})
		}
		from = end
	}
	return out
}

var anyWord = regexp.MustCompile(`[\pL\pN_]+`)

// Has reports whether text contains name as a whole name.
func (l *Language) Has(text, name string) bool { return len(l.Occurrences(text, name, 1)) > 0 }

// suffixes matches type arguments, a signature, an arity or the labels of a selector after a name.
var suffixes = regexp.MustCompile(`(?:<[^<>]*>|\(.*\)|\(|/\d+|:(?:\w+:)*)$`)

// Split splits a typed name into its scopes and the name itself: "auth.Sessions#rotate" into auth, Sessions and rotate.
func (l *Language) Split(typed string) (scopes []string, name string) {
	typed = strings.TrimSpace(typed)
	if m := quotedName.FindStringSubmatch(typed); m != nil {
		return strings.FieldsFunc(m[1], func(r rune) bool { return !WordRune(r) }), m[2]
	} else if !strings.ContainsFunc(typed, WordRune) { // an operator
		return nil, strings.Trim(typed, "()`")
	}
	typed = arguments.ReplaceAllString(typed, "$1")
	if short := suffixes.ReplaceAllString(typed, ""); strings.ContainsFunc(short, WordRune) {
		typed = short
	}
	typed = strings.ReplaceAll(typed, "->", "\\")
	if !strings.Contains(l.Signs, "$") {
		typed = nested.ReplaceAllString(typed, "$1.$2") // as in Java's Outer$Inner
	}
	parts := strings.FieldsFunc(typed, func(r rune) bool {
		return strings.ContainsRune(".:#/\\ *&()\"", r) && !strings.ContainsRune(l.Signs, r)
	})
	if len(parts) == 0 {
		return nil, ""
	}
	name = strings.TrimLeft(TrimSigils(parts[len(parts)-1]), "!?")
	return parts[:len(parts)-1], strings.TrimRight(name, "`'\"<>;,")
}

// quotedName matches a name that contains spaces, as in Kotlin and SQL, after its scopes.
var quotedName = regexp.MustCompile("^([^`\"\\[' ]*)[`\"\\[']+([^`\"\\]']+ [^`\"\\]']+)[`\"\\]']+$")

// arguments matches type arguments before a member, as in "Map<K>.get".
var arguments = regexp.MustCompile(`<[^<>]*>([.:#])`)

var nested = regexp.MustCompile(`([\pL\pN])\$(\p{Lu})`)

// Set returns the set of space-separated words.
func Set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
