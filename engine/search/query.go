package search

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
)

// kind is what a query is made of. It decides how much words and meaning weigh.
type kind uint8

// The kinds.
const (
	sentence kind = iota // words as people write them
	symbol               // names of code, nothing else
	mixed                // names of code among words
	filePath             // a path or a file's name
	message              // what a program printed
)

var kindNames = [...]string{"sentence", "symbol", "mixed", "path", "message"}

// question is a query, looked at once.
type question struct {
	text  string
	kind  kind
	words []word
	// names are the words that are written like identifiers, or all of them where the query is nothing but a symbol, in
	// their parts: "Session.close" is {session, close}.
	names [][]string
	// path is the query as a path, lower case, if it looks like one.
	path string
	// wants are the places that are lowered by default and that this query asks for.
	wants place
}

// word is one telling word of a query.
type word struct {
	whole  string   // lower case, as the index has it
	parts  []string // at least one
	weight float64  // how telling it is, from how many hits have it; the sum over a query's words is 1
}

// nameLike matches what only a program would be written like: an inner capital, an underscore, or parts joined by a sign.
var nameLike = regexp.MustCompile(`^[@$#]?[\p{L}_]*(\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_|[\p{L}\d](\.|::|->|#)[\p{L}_])[\p{L}\p{N}_.:#>$-]*[!?]?(\(\))?$`)

// printed matches signs of a message that a program printed: format directives, codes, quotes, a class of error before a colon.
var printed = regexp.MustCompile(`%[sdvqfxw]\b|%[sdvq]['")]|\{\}|["'` + "`" + `].+["'` + "`" + `]|^\w*(?i:error|exception|warning|panic|fatal)\b.*:|\w: \w.*\w|^(?i:unable to|cannot|can't|could not|failed to|unexpected|invalid|unknown|missing|expected|unterminated|undefined) `)

// asking matches the beginnings of questions, which no program prints.
var asking = regexp.MustCompile(`^(?i:how|what|where|which|why|when|who|does|is|are|can|find|show|list)\b`)

// maxWords bounds what is looked at of a query: as many words as a hit can say it matched. A page of text that is pasted
// as a query is answered by its beginning.
const maxWords = 64

func analyse(q api.Query) question {
	out := question{text: strings.TrimSpace(q.Text)}
	for _, w := range text.Analyse(out.text) {
		if len(out.words) == maxWords {
			break
		}
		parts := w.Parts
		if len(parts) == 0 {
			parts = []string{w.Whole}
		}
		out.words = append(out.words, word{whole: w.Whole, parts: parts})
	}
	out.wants = asked(out.words, q)
	fields := strings.Fields(out.text)
	fields = fields[:min(len(fields), maxWords)]
	named := 0
	for _, f := range fields {
		f = strings.Trim(f, `"'`+"`,;?")
		if nameLike.MatchString(f) {
			out.name(f)
			named++
		}
	}
	switch {
	case len(fields) == 1 && looksLikePath(fields[0]):
		out.kind, out.path = filePath, strings.ToLower(strings.Trim(fields[0], "/."))
	case len(fields) == 1:
		out.kind = symbol
		if named == 0 {
			out.name(fields[0])
		}
	case named == len(fields):
		out.kind = symbol
	case printed.MatchString(out.text) && !asking.MatchString(out.text):
		out.kind = message
	case named > 0:
		out.kind = mixed
	}
	if out.kind != filePath {
		for _, f := range fields {
			if strings.Contains(f, "/") && looksLikePath(f) {
				out.path = strings.ToLower(strings.Trim(f, "/."))
			}
		}
	}
	return out
}

// name notes a word as a name; one of signs only is none.
func (q *question) name(s string) {
	if parts := split(s); len(parts) > 0 {
		q.names = append(q.names, parts)
	}
}

// looksLikePath tells paths and file names from symbols: a slash, or an ending that files have.
func looksLikePath(s string) bool {
	if strings.Contains(s, "://") || strings.HasPrefix(s, "#") {
		return false
	}
	if strings.Contains(s, "/") {
		return true
	}
	ext := strings.TrimPrefix(path.Ext(s), ".")
	return ext != "" && len(ext) <= 6 && ext != s && slices.Contains(extensions, strings.ToLower(ext))
}

// extensions are endings that are not names of methods as well.
var extensions = strings.Fields(`bash bat c cc cfg clj cmake conf cpp cs css csv cxx dart ex exs erl fs go gradle graphql h hh hpp hrl hs
	htm html ini ipynb java jl js json jsx kt kts less lua m md mdx mjs mk ml mm nim nix php pl pm proto ps1 py pyi pyx r rb rs rst
	sass scala scss sh sol sql svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh`)

// split takes a name apart at the signs that join names: "Session::close()" is {session, close}. Case and underscores go, as they
// do in names that are compared with it.
func split(name string) []string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	for i, p := range parts {
		parts[i] = plain(p)
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

// plain is a name without case and underscores.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// weigh sets the words' weights: a word that few of the best hits have tells more. Frequency among the hits, not in the whole
// index: the subject of a query is common among them, and what the query asks of it is not (by the whole index: NDCG@10 on
// the test half 0.014 less). A word that none has keeps its share: the more of the query is not to be found, the less the
// words that are found decide.
func (q *question) weigh(hits []text.Hit) {
	sum := 0.0
	for i := range q.words {
		n := 0
		for _, h := range hits {
			if h.Matched>>i&1 == 1 {
				n++
			}
		}
		q.words[i].weight = math.Log(1 + float64(len(hits)+1)/(float64(n)+0.5))
		sum += q.words[i].weight
	}
	for i := range q.words {
		q.words[i].weight /= sum
	}
}

// covered is the share of the query, by weight, whose words are in a set.
func (q *question) covered(matched uint64) float64 {
	sum := 0.0
	for i, w := range q.words {
		if matched>>i&1 == 1 {
			sum += w.weight
		}
	}
	return sum
}
