package api

import (
	"fmt"
	"strings"
	"time"
)

// Limits of the arguments of searches (RFC 4.2 and 4.3).
const (
	DefaultTopK = 10
	MaxTopK     = 50
	MaxGlob     = 100000  // maximum number of files that match a glob pattern (RFC 5.2)
	MaxQuery    = 8 << 10 // maximum size of a query in bytes
	MaxResult   = 40000   // maximum length of a result in characters
)

type Detail string

const (
	DetailExcerpt Detail = ""      // relevant lines; more for the first results
	DetailShort   Detail = "short" // a few lines, the same number for all results
	DetailLong    Detail = "long"  // more lines, the same number for all results
	DetailFull    Detail = "full"
)

type Query struct {
	Text     string
	Corpus   Corpus
	TopK     int // number of results, 1 to MaxTopK
	Offset   int
	PathGlob string
	Language string
	// IncludeTests includes tests if true and excludes tests if false. If it is nil, tests rank lower than other files.
	IncludeTests *bool
	// MaxTokens limits the length of the answer. A token is four characters.
	MaxTokens   int
	Detail      Detail
	Explain     bool
	LexicalOnly bool
}

type Hit struct {
	Path string `json:"path"`
	// Text is an excerpt of the file from StartLine. "…46" replaces omitted lines before line 46. A final "…" means that
	// the declaration continues.
	Text  string  `json:"text"`
	Score float64 `json:"score"` // in [0,1], decreasing with rank
	// StartLine and EndLine are the lines of the declaration, or of the relevant part of a long declaration.
	StartLine  int    `json:"startLine"`
	EndLine    int    `json:"endLine"`
	Lines      []Line `json:"lines,omitempty"`
	Best       int    `json:"best,omitempty"`
	Project    string `json:"project,omitempty"` // set only if several projects were searched
	Language   string `json:"language,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
	Stale      bool   `json:"stale"`
	// Weak means that the hit is probably irrelevant.
	Weak  bool `json:"weak,omitempty"`
	Whole bool `json:"-"` // the query matches a whole identifier
	// Also lists the near duplicates of the hit, best first.
	Also    []Lines  `json:"also,omitempty"`
	Explain []Factor `json:"explain,omitempty"`
	Excerpt *Excerpt `json:"-"`
}

type Lines struct {
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
}

// String returns a location such as "main.go:10-20", which editors accept.
func (l Lines) String() string { return fmt.Sprintf("%s:%d-%d", l.Path, l.StartLine, l.EndLine) }

type Summary struct {
	Lines
	Signature string  `json:"signature"`
	Project   string  `json:"project,omitempty"`
	Score     float64 `json:"score"`
}

type Factor struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Note  string  `json:"note,omitempty"`
}

type Results struct {
	Hits         []Hit         `json:"results"`
	Total        int           `json:"totalResults"` // hits before Offset and TopK are applied
	Took         time.Duration `json:"-"`
	IndexedAt    time.Time     `json:"indexedAt"`
	PendingFiles int           `json:"pendingFiles"`
	Truncated    bool          `json:"truncated"` // hits, chunks or the query were truncated
	// Nearest lists path, line and name of similar declarations if no hit is relevant enough.
	Nearest []string `json:"nearest,omitempty"`
	// InTests reports that a word of the query occurs only in tests. A note names these tests.
	InTests  bool      `json:"inTests,omitempty"`
	More     []Summary `json:"more,omitempty"`
	Semantic bool      `json:"semantic"`
	Coverage float64   `json:"coverage"` // fraction of chunks with a vector
	Static   float64   `json:"static"`   // fraction of chunks with only a static vector
	State    State     `json:"state"`
	Forms    []string  `json:"forms,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
}

type FileQuery struct {
	Pattern string
	Limit   int
	// Words finds paths that contain each word of a Pattern without wildcards, in any case. A Pattern without '/' matches
	// at any depth.
	Words bool
}

type FileResults struct {
	Matches   []string  `json:"matches"`
	Similar   []string  `json:"similar,omitempty"` // similar paths if no path matches
	Total     int       `json:"totalMatches"`
	Truncated bool      `json:"truncated"`
	IndexedAt time.Time `json:"indexedAt"`
	Notes     []string  `json:"notes,omitempty"`
}

type FileText struct {
	First int    `json:"first"` // number of Text's first line
	Text  string `json:"text"`
	Total int    `json:"total"` // lines in the file
}

// Context returns the names of the enclosing declarations that are not in the excerpt.
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
