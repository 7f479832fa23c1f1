package search

import (
	"math"
	"path"
	"runtime"
	"slices"
	"strings"

	"searchmcp/engine/store/text"
)

// feature is a property of a candidate, from 0 to about 1. A score is the weighted sum of all features
// (docs/ranking.md).
type feature struct {
	name string
	of   func(*ranking, *candidate) (value float64, note string)
}

// The text is read only for the candidates with the highest sum of the features before ofPhrase.
const (
	ofWords = iota
	ofMeaning
	ofOutline
	ofCoverage
	ofFile
	ofName
	ofHistory
	ofDefinition
	ofFrame
	ofPhrase
	ofScope
	numFeatures
)

var features = [numFeatures]feature{
	ofWords:      {"words", func(_ *ranking, c *candidate) (float64, string) { return c.words, "" }},
	ofMeaning:    {"meaning", func(_ *ranking, c *candidate) (float64, string) { return c.meaning, "" }},
	ofOutline:    {"outline", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].outline, "" }},
	ofCoverage:   {"coverage", func(r *ranking, c *candidate) (float64, string) { return r.q.coverage(c.matched), "" }},
	ofFile:       {"file", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].text, "" }},
	ofFrame:      {"trace", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].frame, "" }},
	ofName:       {"file name", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].name, "" }},
	ofHistory:    {"history", func(r *ranking, c *candidate) (float64, string) { return r.history[c.path], "" }},
	ofDefinition: {"definition", func(r *ranking, c *candidate) (float64, string) { return r.q.defines(c) }},
	ofPhrase:     {"phrase", func(r *ranking, c *candidate) (float64, string) { return r.phrases.in(c.Lines), "" }},
	ofScope:      {"scope", func(r *ranking, c *candidate) (float64, string) { return r.inScope(c.path), "" }},
}

// factors multiply the sum of the features.
var factors = []feature{
	{"literal", func(r *ranking, c *candidate) (float64, string) {
		if literal := r.literal(); literal == "" || !strings.Contains(c.body(), literal) {
			return 1, ""
		}
		return literalFactor, ""
	}},
	{"line", func(r *ranking, c *candidate) (float64, string) {
		if r.q.kind == filePath && slices.ContainsFunc(r.q.frames, func(f frame) bool {
			return c.Start <= f.line && f.line <= c.End && f.isOf(c.path)
		}) {
			return lineFactor, ""
		}
		return 1, ""
	}},
	{"place", func(r *ranking, c *candidate) (float64, string) { return r.placeFactor(c) }},
	{"system", func(r *ranking, c *candidate) (float64, string) {
		if other := otherSystem(c.path); other != "" && !r.q.hasPart(other) {
			return otherSystemFactor, other
		}
		return 1, ""
	}},
	{"size", func(r *ranking, c *candidate) (float64, string) {
		if !r.q.certainChange {
			return 1, ""
		}
		return 1 + sizeWeight*math.Log2(1+float64(r.files[c.path].lines)/sizeUnit), ""
	}},
}

// literalFactor multiplies the score of a passage that contains a literal query such as "--no-cache".
const literalFactor = 12

// lineFactor multiplies the score of the declaration at a line that the query names.
const lineFactor = 2

// literal returns the query if it is a single word such as "--no-cache" or "text/html", but not a path. Otherwise it
// returns "".
func (r *ranking) literal() string {
	word := r.q.whole
	if strings.ContainsAny(word, " \t\n") || word == "" || !strings.ContainsRune("-/.<:=&|!?+*%~^'\"", rune(word[0])) &&
		!strings.ContainsAny(word, "/-") {
		return ""
	}
	if word[0] == '-' && !strings.ContainsAny(word, "/.") {
		return word // a flag, even if a file has the same name
	}
	for _, f := range r.files {
		if f.name >= minPathMatch {
			return ""
		}
	}
	return word
}

// otherSystemFactor ranks files for other operating systems after the file for the current system.
const otherSystemFactor = 0.9

// systems maps operating systems in file names to values of runtime.GOOS.
var systems = map[string]string{"windows": "windows", "win32": "windows", "darwin": "darwin", "macos": "darwin",
	"linux": "linux", "unix": "unix", "posix": "unix", "freebsd": "freebsd", "openbsd": "openbsd", "netbsd": "netbsd",
	"android": "android", "ios": "ios", "wasm": "js"}

// otherSystem returns the operating system in a file name such as "ipc_windows.go", or "" for the current system.
func otherSystem(p string) string {
	name := strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	i := strings.LastIndexAny(name, "_-.")
	system, ok := systems[name[i+1:]]
	if i < 0 || !ok || system == runtime.GOOS || system == "unix" && runtime.GOOS != "windows" {
		return ""
	}
	return name[i+1:]
}

func (q *parsedQuery) hasPart(word string) bool {
	return slices.ContainsFunc(q.words, func(w text.Term) bool {
		return w.Whole == word || slices.Contains(w.Parts, word)
	})
}

// The factor of a score grows by sizeWeight when the length of a file above sizeUnit lines doubles, because long files
// are changed more often.
const (
	sizeWeight = 0.06
	sizeUnit   = 100
)

type weights [numFeatures]float64

var (
	textWeights = weights{ofWords: 1.00, ofMeaning: 0.30, ofOutline: 0.10, ofFile: 0.40, ofHistory: 0.30,
		ofDefinition: 0.25, ofFrame: 0.40, ofPhrase: 0.40}
	nameWeights = weights{ofWords: 0.90, ofMeaning: 0.05, ofName: 2.00, ofDefinition: 0.70}
)

var weightsOf = [...]weights{
	sentence: {ofWords: 0.20, ofMeaning: 0.80, ofOutline: 0.35, ofCoverage: 0.45, ofFile: 0.10, ofHistory: 0.30},
	changeMessage: {ofWords: 0.40, ofMeaning: 0.60, ofOutline: 0.25, ofCoverage: 0.45, ofFile: 0.20, ofHistory: 1.00,
		ofScope: 1.00},
	mixed:    textWeights,
	report:   textWeights,
	symbol:   nameWeights,
	filePath: nameWeights,
}

// weightsFor returns the weights of the features for a query. If fewer chunks have vectors, words have more weight.
func weightsFor(q *parsedQuery, vectors float64) weights {
	w := weightsOf[q.kind]
	if w[ofHistory] > 0 {
		if q.change || q.scope != nil {
			w[ofHistory] = weightsOf[changeMessage][ofHistory]
		}
		if q.scope != nil {
			w[ofScope] = weightsOf[changeMessage][ofScope]
		}
	}
	w[ofWords] += w[ofMeaning] * (1 - vectors)
	w[ofMeaning] *= vectors
	w[ofOutline] *= vectors
	return w
}
