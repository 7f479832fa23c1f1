package search

import (
	"math"
	"strings"

	"searchmcp/engine/store/text"
)

// feature is one thing that is said of a candidate, from 0 to about 1; the score is their sum by weight. Its name is
// shown by --explain; no order depends on it.
type feature struct {
	name string
	of   func(*ranking, *candidate) (value float64, note string)
}

// The features, in the order in which an explanation has them. Those before ofPhrase need no text, and choose which
// candidates' texts are read.
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
	ofFolder
	ofScope
	numFeatures
)

var features = [numFeatures]feature{
	// What has the query's rare words often is about them.
	ofWords: {"words", func(_ *ranking, c *candidate) (float64, string) { return c.words, "" }},
	// People ask in other words than code is written in.
	ofMeaning: {"meaning", func(_ *ranking, c *candidate) (float64, string) { return c.meaning, "" }},
	// A function's file says what it is for: its comments and the names that it defines.
	ofOutline: {"outline", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].outline, "" }},
	// One rare word does not answer a question of five.
	ofCoverage: {"coverage", func(r *ranking, c *candidate) (float64, string) { return r.q.coverage(c.matched), "" }},
	// A file with several declarations about the query is about it.
	ofFile: {"file", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].text, "" }},
	// A stack trace, a compiler's message or the text names the file, or the very function.
	ofFrame: {"trace", func(r *ranking, c *candidate) (float64, string) {
		f := r.files[c.path].frame
		if f > 0 && r.q.frameFunction(c) {
			return f + 1, c.Decl.Name
		}
		return f, ""
	}},
	// A path, or a file called like the name, is asked for itself.
	ofName: {"file name", func(r *ranking, c *candidate) (float64, string) { return r.files[c.path].name, "" }},
	// Who asked for the like before changed the file.
	ofHistory: {"history", func(r *ranking, c *candidate) (float64, string) { return r.history[c.path], "" }},
	// A name leads to its definition before its uses.
	ofDefinition: {"definition", func(r *ranking, c *candidate) (float64, string) { return r.q.defines(c) }},
	// Words that stand together in the query and in the text mean the same, and messages are copied whole.
	ofPhrase: {"phrase", func(r *ranking, c *candidate) (float64, string) { return c.phrase, "" }},
	// Files of one folder do one thing, so neighbours that match speak for each other.
	ofFolder: {"folder", func(r *ranking, c *candidate) (float64, string) { return r.neighbours(c.path), "" }},
	// "router: …" is about files of that name, or about what commits of that scope changed.
	ofScope: {"scope", func(r *ranking, c *candidate) (float64, string) { return r.inScope(c.path), "" }},
}

// factors lower or raise what the features sum up to.
var factors = []feature{
	// A flag or a route that stands in a file as it was typed is meant, not its words.
	{"literal", func(r *ranking, c *candidate) (float64, string) {
		if literal := r.literal(); literal == "" || !strings.Contains(c.body(), literal) {
			return 1, ""
		}
		return literalFactor, ""
	}},
	// Tests, examples, generated files and documentation repeat what code says.
	{"place", func(r *ranking, c *candidate) (float64, string) { return r.placeFactor(c) }},
	// Changes are made in large files oftener.
	{"size", func(r *ranking, c *candidate) (float64, string) {
		if !r.q.certainChange {
			return 1, ""
		}
		return 1 + sizeWeight*math.Log2(1+float64(r.files[c.path].lines)/sizeUnit), ""
	}},
}

// literalFactor is more than the words of a literal can make of a text that lacks it, and of a file called by them.
const literalFactor = 12

// literal is a query that is one word and begins with a sign or has slashes or hyphens, and no file's path; "" for any
// other.
func (r *ranking) literal() string {
	word := r.q.whole
	if strings.ContainsAny(word, " \t\n") || word == "" || !strings.ContainsRune("-/.<:=&|!?+*%~^'\"", rune(word[0])) &&
		!strings.ContainsAny(word, "/-") {
		return ""
	}
	if word[0] == '-' && !strings.ContainsAny(word, "/.") {
		return word // a flag, whose words a file may be called by
	}
	for _, f := range r.files {
		if f.name >= minPathMatch {
			return ""
		}
	}
	return word
}

// sizeWeight is what each doubling of a file's length beyond sizeUnit lines adds to a score.
const (
	sizeWeight = 0.06
	sizeUnit   = 100
)

// weights are a kind of query's, where every chunk has a vector.
type weights [numFeatures]float64

// weightsOf is the one table of them (docs/ranking.md says what each feature is worth).
var weightsOf = [...]weights{
	sentence: {ofWords: 0.20, ofMeaning: 0.80, ofOutline: 0.35, ofCoverage: 0.45, ofFile: 0.10, ofHistory: 0.30,
		ofPhrase: 0.40},
	report: {ofWords: 1.00, ofMeaning: 0.30, ofOutline: 0.10, ofFile: 0.40, ofHistory: 0.30, ofDefinition: 0.25,
		ofFrame: 0.40},
	changeMessage: {ofWords: 0.40, ofMeaning: 0.60, ofOutline: 0.25, ofCoverage: 0.45, ofFile: 0.20, ofHistory: 1.00,
		ofPhrase: 0.40,
		ofFolder: 0.30, ofScope: 1.00},
	symbol: {ofWords: 0.90, ofMeaning: 0.10, ofName: 0.40, ofDefinition: 0.70},
	mixed: {ofWords: 0.65, ofMeaning: 0.35, ofOutline: 0.10, ofCoverage: 0.35, ofFile: 0.20, ofHistory: 0.30,
		ofDefinition: 0.60, ofFrame: 0.40, ofPhrase: 0.15},
	filePath: {ofWords: 1.00, ofName: 2.00},
	message:  {ofWords: 0.80, ofMeaning: 0.20, ofCoverage: 0.50, ofHistory: 0.30, ofFrame: 0.40, ofPhrase: 1.00},
}

// weightsFor is the row of a query. What begins like a message of a change, whatever its kind, is like those before it
// and is answered by several files oftener. Of chunks of which a share has no vector yet, words say the rest.
func weightsFor(q *parsedQuery, vectors float64) weights {
	w := weightsOf[q.kind]
	if w[ofHistory] > 0 {
		if q.change || q.scope != nil {
			w[ofHistory] = weightsOf[changeMessage][ofHistory]
		}
		if q.certainChange {
			w[ofFolder] = weightsOf[changeMessage][ofFolder]
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

// fieldsOf are the weights of the text index's fields: in natural language a word that is a part of a name says little.
func fieldsOf(k queryKind) text.Weights {
	w := text.DefaultWeights
	if k == sentence || k == changeMessage {
		w[text.FieldSymbols] = 1.5
	}
	return w
}
