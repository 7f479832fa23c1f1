package api

import (
	"fmt"
	"strings"
	"time"
)

// Limits of a search (RFC 4.2, 4.3; result sizes by what editors accept).
const (
	DefaultTopK  = 10
	MaxTopK      = 50
	DefaultLimit = 20      // search_by_path
	MaxGlob      = 100000  // RFC 5.2: glob result limit
	MaxQuery     = 8 << 10 // bytes of a query that are used; the rest is cut and said so
	MaxResult    = 40000   // characters of one result
)

// Detail is how much of each result an answer shows.
type Detail string

// The details.
const (
	DetailExcerpt Detail = ""      // the relevant lines: more of the first results, of the last where they are
	DetailShort   Detail = "short" // excerpts of a few lines, all alike: for people, who see all at once
	DetailLong    Detail = "long"  // longer ones, all alike: for people, who see one at a time
	DetailFull    Detail = "full"  // the whole chunks
)

// Query is one search.
type Query struct {
	Text     string
	Corpus   Corpus
	TopK     int    // 1 to MaxTopK
	Offset   int    // results to leave out from the top
	PathGlob string // only files that match
	Language string // only files of that language
	// IncludeTests keeps test files at their own rank; nil lets the query decide.
	IncludeTests *bool
	// MaxTokens bounds the result's text, about four characters a token; 0 means MaxResult characters.
	MaxTokens int
	Detail    Detail
	Explain   bool
	// LexicalOnly leaves vectors out (measurements, a model that is still loading).
	LexicalOnly bool
}

// Hit is one result of search_code or search_docs.
type Hit struct {
	Path string `json:"path"`
	// Text is the excerpt: lines as they stand in the file, beginning with StartLine. A line "…46" says that lines were
	// left out and that the next one is line 46 of the file, "…" at the end that the declaration goes on. With DetailFull
	// it is the whole chunk.
	Text  string  `json:"text"`
	Score float64 `json:"score"` // [0,1], falls with rank
	// StartLine and EndLine are the declaration that the excerpt belongs to, so that reading them reads all of it; with
	// DetailFull the chunk's lines.
	StartLine  int    `json:"startLine"`
	EndLine    int    `json:"endLine"`
	Lines      []Line `json:"lines,omitempty"`   // what Text shows, a line each
	Best       int    `json:"best,omitempty"`    // the line that says most
	Project    string `json:"project,omitempty"` // set when several projects were searched
	Language   string `json:"language,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
	Stale      bool   `json:"stale"` // the file has changed since it was indexed
	// it hardly answers; of a first hit: so do all, and nothing answers well
	Weak  bool `json:"weak,omitempty"`
	Whole bool `json:"-"` // it has a name of the question as a whole, and not words of it alone
	// where nearly the same text stands, best first; no results of their own
	Also    []Lines  `json:"also,omitempty"`
	Explain []Factor `json:"explain,omitempty"`
	Excerpt *Excerpt `json:"-"` // what an answer's text is made of
}

// Lines is a stretch of a file.
type Lines struct {
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
}

// String writes it as editors take it: path:first-last.
func (l Lines) String() string { return fmt.Sprintf("%s:%d-%d", l.Path, l.StartLine, l.EndLine) }

// Told is a declaration that an answer names on one line.
type Told struct {
	Lines
	Signature string  `json:"signature"`
	Project   string  `json:"project,omitempty"`
	Score     float64 `json:"score"`
}

// Factor is one ingredient of a hit's score, for --explain.
type Factor struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Note  string  `json:"note,omitempty"`
}

// Results is the answer to a Query, with what an assistant must know to trust it.
type Results struct {
	Hits         []Hit         `json:"results"`
	Total        int           `json:"totalResults"` // hits found before TopK and Offset
	Took         time.Duration `json:"-"`
	IndexedAt    time.Time     `json:"indexedAt"`    // last commit of what was searched
	PendingFiles int           `json:"pendingFiles"` // changed and not yet committed
	Truncated    bool          `json:"truncated"`    // something was cut: hits, whole chunks or the query
	// where nothing answers: path, line and name of what comes nearest
	Nearest []string `json:"nearest,omitempty"`
	// further declarations that may answer, best first, behind the last hit
	More     []Told  `json:"more,omitempty"`
	Semantic bool    `json:"semantic"` // vectors took part
	Coverage float64 `json:"coverage"` // share of chunks that have a vector, [0,1]
	Static   float64 `json:"static"`   // of Coverage, those with a static vector alone
	State    State   `json:"state"`
	// what was looked for in place of the question's words, too: abbreviations, corrected spellings
	Forms []string `json:"forms,omitempty"`
	Notes []string `json:"notes,omitempty"` // for the reader: partial index, model missing, query cut
}

// FileQuery is one search_by_path.
type FileQuery struct {
	Pattern string
	Limit   int
}

// FileResults is the answer to a FileQuery.
type FileResults struct {
	Matches   []string  `json:"matches"`
	Similar   []string  `json:"similar,omitempty"` // where nothing matches: paths that the pattern may have meant
	Total     int       `json:"totalMatches"`
	Truncated bool      `json:"truncated"`
	IndexedAt time.Time `json:"indexedAt"`
	Notes     []string  `json:"notes,omitempty"`
}

// FileText is a stretch of a file as it is now, with a mark in the place of each secret.
type FileText struct {
	First int    `json:"first"` // the number of Text's first line
	Text  string `json:"text"`
	Total int    `json:"total"` // lines of the file
}

// Context is what of the breadcrumb the text does not show: the declarations that the excerpt stands in and that began
// before it.
func (h Hit) Context() string {
	var hidden []string
	for _, name := range strings.Split(h.Breadcrumb, crumbSeparator) {
		if !strings.Contains(h.Text, name) {
			hidden = append(hidden, name)
		}
	}
	return strings.Join(hidden, crumbSeparator)
}

const crumbSeparator = " › "
