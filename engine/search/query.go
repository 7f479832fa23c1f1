package search

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/search/commit"
	"searchmcp/engine/store/text"
)

type queryKind uint8

const (
	sentence      queryKind = iota // natural language
	changeMessage                  // certainly a commit message, without names
	symbol                         // identifiers only
	mixed                          // identifiers among words, or a program's message
	filePath                       // a path or a file name
	report                         // several paragraphs, such as a bug report
)

func (k queryKind) isName() bool { return k == symbol || k == filePath }

type parsedQuery struct {
	document
	whole string
	kind  queryKind
	words []text.Term // without stop words; the weights sum to 1 after setWeights
	// names are the identifiers in the query, split into parts: "Session.close" is {session, close}.
	names [][]string
	spelt []string // last parts of names, in lower case
	path  string   // in lower case
	// change is true if the query may be a commit message. certainChange is true if the query certainly is.
	change, certainChange bool
	message               bool     // a message of a program, such as an error
	scope                 []string // from commit.Scope
	wantedRoles           pathRole // roles of files that the query requests, such as tests
	// corrected maps words that the index lacks to similar words in the index.
	corrected map[string][]string
}

// nameLike matches identifiers such as "closeSession", "max_size" and "Session.close".
var nameLike = regexp.MustCompile(`^[@$#]?[\p{L}_]*(\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_|[\p{L}\d](\.|::|->|#)[\p{L}_])` +
	`[\p{L}\p{N}_.:#>$-]*[!?]?(\(\))?$`)

// messageLike matches messages of programs, such as "cannot open file".
var messageLike = regexp.MustCompile(`%[sdvqfxw]\b|%[sdvq]['")]|\{\}|["'` + "`" + `].+["'` + "`" + `]|` +
	`^\w*(?i:error|exception|warning|panic|fatal)\b.*:|\w: \w.*\w|` +
	`^(?i:unable to|cannot|can't|could not|failed to|unexpected|invalid|unknown|missing|expected|unterminated|undefined) `)

var spanName = regexp.MustCompile(`^[@$#-]*([\p{L}_][\p{L}\p{N}_.:#>$-]*[!?]?)(?:\(.*\))?$`)

var questionStart = regexp.MustCompile(`^(?i:how|what|where|which|why|when|who|does|is|are|can|find|show|list)\b`)

// A word's weight is multiplied by 1 + repeatWeight × the logarithm of the word's number of occurrences.
const repeatWeight = 0.3

func wordsOf(d document, isReport bool) []text.Term {
	var out []text.Term
	at := map[string]int{}
	sum := []float64{} // sum of the weights of each word's occurrences
	for s, t := range d.text {
		w := sourceWeights[s]
		if source(s) == inTitle && !isReport {
			w = titleOfShort
		}
		for _, word := range text.Analyse(t) {
			i, ok := at[word.Text]
			if !ok {
				i = len(out)
				at[word.Text] = i
				out, sum = append(out, text.Term{Word: word, Weight: w}), append(sum, 0)
			}
			out[i].Weight, sum[i] = max(out[i].Weight, w), sum[i]+w
		}
	}
	for i := range out {
		out[i].Weight *= 1 + repeatWeight*math.Log(sum[i]/out[i].Weight)
	}
	return out
}

func parseQuery(q api.Query) parsedQuery {
	out := parsedQuery{whole: strings.TrimSpace(q.Text)}
	out.document = divide(out.whole)
	if len(out.frames) == 1 && !strings.ContainsAny(out.whole, " \t\n") { // as in "src/a.go:12:3" and "src/a.php(12)"
		out.whole = frameForm.FindStringSubmatch(out.whole)[1]
		out.text[inTitle] = out.whole
	}
	isReport := len(out.whole) > longReport && strings.Contains(out.whole, "\n")
	out.words = wordsOf(out.document, isReport)
	if out.wantedRoles = wantedRoles(out.words, q); isReport {
		out.wantedRoles = wantedRoles(nil, q)
	}
	fields := strings.Fields(out.whole)
	named := 0
	for s, t := range out.text {
		for _, f := range strings.Fields(t) {
			f = strings.Trim(f, `"'`+"`,;?")
			if nameLike.MatchString(f) && (!isReport || source(s) != inBlock) {
				out.addName(f)
				named++
			}
		}
	}
	out.change = len(fields) > 2 && commit.Begins(out.whole)
	out.scope = commit.Scope(out.whole)
	out.certainChange = out.change && commit.IsCertain(out.whole)
	for span := range strings.SplitSeq(out.text[inSpan], "\n") {
		if m := spanName.FindStringSubmatch(span); m != nil && len(fields) > 1 && out.addName(m[1]) {
			named++
		}
	}
	out.message = !out.change && !isReport && messageLike.MatchString(out.whole) && !questionStart.MatchString(out.whole)
	switch {
	case isReport:
		out.kind = report
	case len(fields) == 1 && looksLikePath(fields[0]):
		out.kind, out.path = filePath, strings.ToLower(strings.Trim(fields[0], "/."))
		out.names, out.spelt, out.paths = nil, nil, nil // "cart.h" is a file, not the member h of cart
	case len(fields) == 1:
		out.kind = symbol
		if named == 0 {
			out.addName(fields[0])
		}
	case named >= len(fields):
		out.kind = symbol
	case named > 0 || out.message:
		out.kind = mixed
	case out.certainChange:
		out.kind = changeMessage
	}
	if out.kind != filePath && out.kind != report {
		for _, f := range fields {
			if strings.Contains(f, "/") && looksLikePath(f) {
				out.path = strings.ToLower(strings.Trim(f, "/."))
			}
		}
	}
	return out
}

// addName adds an identifier to the query's names and reports whether the identifier is new.
func (q *parsedQuery) addName(s string) bool {
	parts := splitName(s)
	if len(parts) == 0 || slices.ContainsFunc(q.names, func(n []string) bool { return slices.Equal(n, parts) }) {
		return false
	}
	spelt := nameParts(s)
	q.names, q.spelt = append(q.names, parts), append(q.spelt, strings.ToLower(spelt[len(spelt)-1]))
	return true
}

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

// extensions are file extensions that are not also method names.
var extensions = strings.Fields(`
	bash bat c cc cfg clj cmake conf cpp cs css csv cxx dart ex exs erl fs go gradle graphql h hh hpp hrl hs
	htm html ini ipynb java jl js json jsx kt kts less lua m md mdx mjs mk ml mm nim nix php pl pm proto ps1 py pyi pyx
	r rb rs rst sass scala scss sh sol sql svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh`)

// splitName splits a qualified name into lower-case parts: "Session::close()" is {session, close}.
func splitName(name string) []string {
	parts := nameParts(name)
	for i, p := range parts {
		parts[i] = normalise(p)
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

func nameParts(s string) []string {
	return strings.FieldsFunc(s, isNameSeparator)
}

func isNameSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

func normalise(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// setWeights multiplies each word's weight by its inverse document frequency in the hits. Frequencies in the whole
// index rank worse.
func (q *parsedQuery) setWeights(hits []text.Hit) {
	for i := range q.words {
		n := 0
		for _, h := range hits {
			if h.Matched.Has(i) {
				n++
			}
		}
		q.words[i].Weight *= math.Log(1 + float64(len(hits)+1)/(float64(n)+0.5))
		if q.change && slices.Contains(changeNoise, q.words[i].Whole) {
			q.words[i].Weight = 0
		}
	}
	if q.kind == report && len(q.words) > 0 { // most words of a long query are not about its subject
		weights := make([]float64, len(q.words))
		for i, w := range q.words {
			weights[i] = w.Weight
		}
		slices.Sort(weights)
		least := weights[max(0, len(weights)-subjectWords)]
		for i := range q.words {
			if q.words[i].Weight < least {
				q.words[i].Weight = 0
			}
		}
	}
	sum := 0.0
	for _, w := range q.words {
		sum += w.Weight
	}
	for i := range q.words {
		q.words[i].Weight /= max(sum, 1e-9)
	}
}

// subjectWords is the number of words, those with the highest weights, that represent a report's subject.
const subjectWords = 12

// changeNoise lists words of commit messages that don't describe code.
var changeNoise = []string{"fix", "fixed", "fixes", "bug", "issue", "regression"}

func (q *parsedQuery) historyTerms() []string {
	var words []string
	for _, w := range q.words {
		for _, part := range w.Parts {
			if !slices.Contains(changeNoise, part) && !slices.Contains(words, part) {
				words = append(words, part)
			}
		}
	}
	return words
}

func (q *parsedQuery) correct(word, instead string) {
	if !slices.Contains(q.corrected[word], instead) {
		q.corrected[word] = append(q.corrected[word], instead)
	}
}

// containsName reports whether text contains a name of the query, ignoring case.
func (q *parsedQuery) containsName(text string) bool {
	if len(q.spelt) > 0 {
		text = strings.ToLower(text)
	}
	return slices.ContainsFunc(q.spelt, func(name string) bool {
		return strings.Contains(text, name) && slices.Contains(nameParts(text), name)
	})
}

func (q *parsedQuery) coverage(matched text.Set) float64 {
	sum := 0.0
	for i, w := range q.words {
		if matched.Has(i) {
			sum += w.Weight
		}
	}
	return sum
}

// typeKinds are the kinds of types. If the query is a single name, types rank before functions and values.
var typeKinds = []string{"class", "struct", "interface", "trait", "protocol", "enum", "union", "type", "record",
	"object", "module", "namespace"}

func isTypeKind(kind string) bool { return slices.Contains(typeKinds, kind) }
