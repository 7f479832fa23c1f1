package lang

import (
	"regexp"
	"strings"
	"sync"
)

// Layout describes a language without a grammar: the prefixes of comments, and lines that define something.
type Layout struct {
	Comments  []string // prefixes of comment lines
	Open      string   // delimiters of comments over several lines
	Close     string
	Header    *Pattern
	Attribute *Pattern // lines that belong to the following part (signatures, annotations)
	Defs      []Definition
	Members   []Member
	// Behind matches lines that continue the preceding part although they are not indented (pragmas, conditions).
	Behind *Pattern
	// Reserved are words that are never names.
	Reserved []string
	// Body matches the first lines of blocks of statements, whose names are no symbols. Holds matches, among
	// statements, the first lines of what has members again (a type that a function returns).
	Body, Holds *Pattern
}

// Definition is a line that defines the name in its first matched group.
type Definition struct {
	Line   *Pattern
	Symbol bool // false: only a place, like the keys of data files
}

// Member finds names that lines define besides the first of a block: record fields, constructors, targets. All matches
// of Line count, with the name in the first group.
type Member struct {
	// In matches the enclosing line: the closest one above with less indentation, or the beginning of the line itself,
	// which is then searched from there. nil: any line.
	In *Pattern
	// Where matches the lines that count; nil: all. They are searched up to Until.
	Where *Pattern
	Until string
	Line  *Pattern
}

// members returns a Member for each expression, in lines that match in.
func members(in string, lines ...string) []Member {
	var out []Member
	for _, l := range lines {
		m := Member{Line: re(l)}
		if in != "" {
			m.In = re(in)
		}
		out = append(out, m)
	}
	return out
}

// Pattern is a regular expression that is compiled at first use.
type Pattern struct{ get func() *regexp.Regexp }

// MatchString reports whether a text matches; a nil Pattern matches nothing.
func (p *Pattern) MatchString(s string) bool { return p != nil && p.get().MatchString(s) }

// FindStringSubmatchIndex is regexp's.
func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }

// FindAllStringSubmatchIndex is regexp's.
func (p *Pattern) FindAllStringSubmatchIndex(s string) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, -1)
}

func re(s string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(unicodeWords(s)) })}
}

// unicodeWords extends \w, A-Z and a-z in an expression, which are ASCII only, to letters of all alphabets.
func unicodeWords(s string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(s); {
		rest := s[i:]
		into, n := rest[:1], 1
		switch {
		case strings.HasPrefix(rest, `\w`):
			if into, n = `\pL\pM\pN_`, 2; !class {
				into = "[" + into + "]"
			}
		case rest[0] == '\\' && len(rest) > 1:
			into, n = rest[:2], 2
		case class && strings.HasPrefix(rest, "A-Za-z"):
			into, n = `\pL`, 6
		case class && strings.HasPrefix(rest, "a-z"):
			into, n = `\p{Ll}\p{Lo}\p{Lm}`, 3
		case class && strings.HasPrefix(rest, "A-Z"):
			into, n = `\p{Lu}\p{Lt}\p{Lo}`, 3
		case rest[0] == '[':
			class = true
		case rest[0] == ']':
			class = false
		}
		b.WriteString(into)
		i += n
	}
	return b.String()
}

// symbols makes definitions of expressions that define symbols; places of expressions that define only a place.
func symbols(lines ...string) []Definition { return definitions(true, lines) }
func places(lines ...string) []Definition  { return definitions(false, lines) }

func definitions(symbol bool, lines []string) []Definition {
	var out []Definition
	for _, l := range lines {
		out = append(out, Definition{re(l), symbol})
	}
	return out
}

// modifiers precede definitions in languages of C's family.
const modifiers = `^\s*(?:(?:pub|public|private|protected|internal|static|final|abstract|override|export|inline|extern|virtual|async|sealed|open|external|late|const|partial|factory|covariant|def)\s+)*`

// Fallback is for files whose grammar failed.
var Fallback = &Layout{Comments: []string{"//", "#", "--"}, Open: "/*", Close: "*/", Defs: symbols(
	modifiers+
		`(?:class|struct|interface|trait|enum|module|namespace|protocol|record|object|type|union|defmodule)\s+([A-Za-z_]\w*)`,
	modifiers+`(?:func|function|fn|fun|def|sub|proc|method|macro|defp?)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`,
	`^#\s*define\s+(\w+)`,
	`^(?:[A-Za-z_][\w<>,:*&\[\]]*\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*$`)}

var lisp = &Layout{Comments: []string{";"}, Open: "#|", Close: "|#",
	Header: re(`^\(?#?(?:lang|import|require|use-modules|in-package|defpackage)\b`),
	Defs:   symbols(`^\(define[\w:-]*\s+\(*([^\s()]+)`, `^\(def[\w:-]*\s+\(?([^\s()]+)`, `^\(struct\s+\(?([^\s()]+)`)}

var style = &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^@(?:import|use|forward|charset)\b`),
	Defs: append(symbols(`^\s*@(?:mixin|function|keyframes)\s+([\w-]+)`, `^\s*(\$[\w-]+|--[\w-]+|@[\w-]+)\s*:`),
		places(`^\s*([^\s{}@/*;][^{};]*?)\s*\{`)...),
	Members: []Member{{Where: re(`^[^:]*[{,]\s*$|^[^;]*\{`), Until: "{",
		Line: re(`(?:^|[\s,>+~&(\w])([.#%][A-Za-z_-][\w-]*)`)}}}

var markup = &Layout{Open: "<!--", Close: "-->", Comments: slashes, Header: re(`^\s*import\s.*from\b`), Defs: append(
	symbols(`^\s*\{%-?\s*(?:macro|block)\s+(\w+)`),
	places(`^\s*<[\w:-]+[^>]*?\sid="([^"]+)"`, `^<(script|template|style|head|body|nav|main|header|footer)\b`)...)}
