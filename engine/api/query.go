package api

import (
	"fmt"
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
	Explain   bool
	// LexicalOnly leaves vectors out (measurements, a model that is still loading).
	LexicalOnly bool
}

// Hit is one result of search_code or search_docs.
type Hit struct {
	Path       string   `json:"path"`
	Text       string   `json:"text"`
	Score      float64  `json:"score"` // [0,1], falls with rank
	StartLine  int      `json:"startLine"`
	EndLine    int      `json:"endLine"`
	Project    string   `json:"project,omitempty"` // set when several projects were searched
	Language   string   `json:"language,omitempty"`
	Breadcrumb string   `json:"breadcrumb,omitempty"`
	Stale      bool     `json:"stale"`          // the file has changed since it was indexed
	Also       []Lines  `json:"also,omitempty"` // where nearly the same text stands, best first; no results of their own
	Explain    []Factor `json:"explain,omitempty"`
}

// Lines is a stretch of a file.
type Lines struct {
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
}

// String writes it as editors take it: path:first-last.
func (l Lines) String() string { return fmt.Sprintf("%s:%d-%d", l.Path, l.StartLine, l.EndLine) }

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
	Truncated    bool          `json:"truncated"`    // something was cut: texts, hits or the query
	Semantic     bool          `json:"semantic"`     // vectors took part
	Coverage     float64       `json:"coverage"`     // share of chunks that have a vector, [0,1]
	State        State         `json:"state"`
	Notes        []string      `json:"notes,omitempty"` // for the reader: partial index, model missing, query cut
}

// FileQuery is one search_by_path.
type FileQuery struct {
	Pattern string
	Limit   int
}

// FileResults is the answer to a FileQuery.
type FileResults struct {
	Matches   []string  `json:"matches"`
	Total     int       `json:"totalMatches"`
	Truncated bool      `json:"truncated"`
	IndexedAt time.Time `json:"indexedAt"`
	Notes     []string  `json:"notes,omitempty"`
}
