package named

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
)

// Tokenizer configures the splitting of text into terms (tokenizer_config).
type Tokenizer struct {
	Lowercase bool // lower-case, fold diacritics and stem if true; compare literally if false
	// MinLength is the minimum length of a term in characters. Shorter terms of queries are ignored. With the default
	// of 2, single letters still count in phrases, after "+", or if the query has no other terms.
	MinLength int
}

var DefaultTokenizer = Tokenizer{Lowercase: true, MinLength: 2}

type token struct {
	form       string // text of the token, folded if Lowercase is set
	term       term   // hash of the stem; set only in queries
	start, end int
}

// term is the hash of a word's stem.
type term uint64

var seed = maphash.MakeSeed()

func (t Tokenizer) term(form string) term {
	if t.Lowercase {
		form = fulltext.Stem(form)
	}
	return term(maphash.String(seed, form))
}

// tokens splits text into words like fulltext.Words, and identifiers into their parts: fooBar, foo_bar, HTTPServer and
// utf8 have two tokens each. Names such as C++ and C# are one token.
func (t Tokenizer) tokens(text string) []token {
	var out []token
	for w := range fulltext.EachWord(text) {
		if end := w.End + suffix(text[w.Start:w.End], text[w.End:]); end > w.End {
			out = append(out, token{form: t.form(text[w.Start:end]), start: w.Start, end: end})
			continue
		}
		for _, at := range parts(text[w.Start:w.End]) {
			part := token{form: w.Text, start: w.Start + at[0], end: w.Start + at[1]}
			if at[1]-at[0] != w.End-w.Start || !t.Lowercase {
				part.form = t.form(text[part.start:part.end])
			}
			out = append(out, part)
		}
	}
	return out
}

func (t Tokenizer) form(s string) string {
	if t.Lowercase {
		return fulltext.Fold(s)
	}
	return s
}

// suffix returns the length of a "++" or "#" after a word of one or two letters, as in C++ and C#.
func suffix(word, rest string) int {
	if len(word) > 2 {
		return 0
	}
	for _, end := range []string{"++", "#"} {
		after, found := strings.CutPrefix(rest, end)
		if r, _ := utf8.DecodeRuneInString(after); found && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return len(end)
		}
	}
	return 0
}

func parts(s string) [][2]int {
	out := make([][2]int, 0, 1)
	from := 0
	var before, last rune
	at := 0
	for i, r := range s {
		cut := -1
		switch {
		case i == 0:
		case unicode.IsUpper(r) && unicode.IsLower(last),
			unicode.IsDigit(r) && unicode.IsLetter(last) && i > from+1, unicode.IsLetter(r) &&
				unicode.IsDigit(last) && i > from+1:
			cut = i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before) && !plural(s[i:]): // at S in HTTPServer
			cut = at
		}
		if cut > from {
			out = append(out, [2]int{from, cut})
			from = cut
		}
		before, last, at = last, r, i
	}
	return append(out, [2]int{from, len(s)})
}

func plural(rest string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, "s"))
	return rest[0] == 's' && !unicode.IsLower(next)
}

// unit is a word or phrase of a query. A document must contain its tokens next to each other.
type unit struct {
	text   string // as returned in the query_parsed field
	tokens []token
	exact  bool // compare whole words, not stems
}

func (t Tokenizer) unit(text string, exact bool) unit {
	u := unit{exact: exact, tokens: t.tokens(text)}
	var forms []string
	for i := range u.tokens {
		u.tokens[i].term = t.term(u.tokens[i].form)
		forms = append(forms, u.tokens[i].form)
	}
	if u.text = strings.TrimFunc(text, outside); t.Lowercase {
		u.text = strings.ToLower(u.text)
	}
	if exact {
		u.text = strings.Join(forms, " ")
	}
	return u
}

func outside(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+' && r != '#' && r != '_'
}

func (t Tokenizer) short(u unit) bool {
	return len(u.tokens) == 1 && !u.exact && utf8.RuneCountInString(u.tokens[0].form) < t.MinLength
}

type query struct {
	terms, must, mustNot, phrases []unit
}

func (q query) parsed() *api.NamedQuery {
	list := func(units []unit) []string {
		out := make([]string, 0, len(units))
		for _, u := range units {
			out = append(out, u.text)
		}
		return out
	}
	return &api.NamedQuery{Terms: list(q.terms), Must: list(q.must), MustNot: list(q.mustNot), Phrases: list(q.phrases)}
}

func (q query) scored() []unit {
	units := slices.Concat(q.terms, q.must)
	for _, u := range q.phrases {
		for i := range u.tokens {
			units = append(units, unit{tokens: u.tokens[i : i+1]})
		}
	}
	same := func(a, b token) bool { return a.term == b.term }
	var distinct []unit
	for _, u := range units {
		if !slices.ContainsFunc(distinct, func(d unit) bool { return slices.EqualFunc(d.tokens, u.tokens, same) }) {
			distinct = append(distinct, u)
		}
	}
	return distinct
}

// parse parses a query with the operators +term, -term, "phrase", +"phrase" and -"phrase". An unclosed quote extends to
// the end. Words joined by punctuation, such as node.js or e-mail, form a phrase.
func (t Tokenizer) parse(text string) query {
	var q query
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		sign := byte(0)
		if text[0] == '+' || text[0] == '-' {
			sign, text = text[0], text[1:]
		}
		word, phrase := "", strings.HasPrefix(text, `"`)
		if phrase {
			word, text, _ = strings.Cut(text[1:], `"`)
		} else {
			end := strings.IndexFunc(text, unicode.IsSpace)
			if end < 0 {
				end = len(text)
			}
			word, text = text[:end], text[end:]
		}
		switch {
		case sign == '-':
			q.mustNot = t.add(q.mustNot, word, phrase)
		case phrase: // a phrase is required even without "+"
			q.phrases = t.add(q.phrases, word, true)
		case sign == '+':
			q.must = t.add(q.must, word, false)
		default:
			for _, part := range strings.FieldsFunc(word, separates) {
				q.terms = t.add(q.terms, part, false)
			}
		}
	}
	if t.MinLength > DefaultTokenizer.MinLength {
		q.must, q.mustNot = slices.DeleteFunc(q.must, t.short), slices.DeleteFunc(q.mustNot, t.short)
	}
	long := slices.DeleteFunc(slices.Clone(q.terms), t.short)
	if len(long)+len(q.must)+len(q.phrases) > 0 || t.MinLength > DefaultTokenizer.MinLength {
		q.terms = long
	}
	return q
}

func (t Tokenizer) add(to []unit, text string, exact bool) []unit {
	if u := t.unit(text, exact); len(u.tokens) > 0 {
		to = append(to, u)
	}
	return to
}

func separates(r rune) bool { return strings.ContainsRune(`,;/\|()[]{}<>"!?=*&`, r) }
