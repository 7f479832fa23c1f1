package named

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokenizer says how text becomes terms (tokenizer_config).
type Tokenizer struct {
	Lowercase bool
	MinLength int // in characters
}

// DefaultTokenizer is the specification's.
var DefaultTokenizer = Tokenizer{Lowercase: true, MinLength: 2}

// token is a term with its place in the text, in bytes.
type token struct {
	term       string
	start, end int
}

// tokens cuts text into runs of letters, marks and digits; "_" holds an identifier together.
func (t Tokenizer) tokens(text string) []token {
	var out []token
	start := -1
	flush := func(end int) {
		if start < 0 {
			return
		}
		term := text[start:end]
		if t.Lowercase {
			term = strings.ToLower(term)
		}
		if utf8.RuneCountInString(term) >= t.MinLength {
			out = append(out, token{term, start, end})
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	return out
}

func (t Tokenizer) terms(text string) []string {
	tokens := t.tokens(text)
	out := make([]string, len(tokens))
	for i, tok := range tokens {
		out[i] = tok.term
	}
	return out
}

// Parsed is a query taken apart (query_parsed).
type Parsed struct {
	Terms   []string `json:"terms"`
	Must    []string `json:"must"`
	MustNot []string `json:"must_not"`
	Phrases []string `json:"phrases"`
}

// Parse reads the operators: +term, -term, "phrase", and both before a phrase. An unclosed quote runs to the end.
// Operators count at the beginning of a word only, so "e-mail" has none.
func (t Tokenizer) Parse(query string) Parsed {
	p := Parsed{Terms: []string{}, Must: []string{}, MustNot: []string{}, Phrases: []string{}}
	for query = strings.TrimSpace(query); query != ""; query = strings.TrimSpace(query) {
		sign := byte(0)
		if query[0] == '+' || query[0] == '-' {
			sign, query = query[0], query[1:]
		}
		if strings.HasPrefix(query, `"`) {
			phrase, rest, _ := strings.Cut(query[1:], `"`)
			query = rest
			t.addPhrase(&p, sign, phrase)
			continue
		}
		end := strings.IndexFunc(query, unicode.IsSpace)
		if end < 0 {
			end = len(query)
		}
		word := query[:end]
		query = query[end:]
		for _, term := range t.terms(word) {
			switch sign {
			case '+':
				p.Must = append(p.Must, term)
			case '-':
				p.MustNot = append(p.MustNot, term)
			default:
				p.Terms = append(p.Terms, term)
			}
		}
	}
	return p
}

// addPhrase keeps a phrase as its terms joined by a space. A phrase must occur whether it has a "+" or not.
func (t Tokenizer) addPhrase(p *Parsed, sign byte, phrase string) {
	text := strings.Join(t.terms(phrase), " ")
	switch {
	case text == "":
	case sign == '-':
		p.MustNot = append(p.MustNot, text)
	default:
		p.Phrases = append(p.Phrases, text)
	}
}
