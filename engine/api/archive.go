package api

// Bounds and defaults of searchLocalArchives.
const (
	DefaultArchiveLimit, MaxArchiveLimit   = 10, 50
	DefaultCitationDepth, MaxCitationDepth = 1, 3
	MaxArchiveOffset                       = 1000
)

// ArchiveQuery is one searchLocalArchives.
type ArchiveQuery struct {
	Text             string
	Fuzzy            bool
	IncludeCitations bool
	CitationDepth    int // 1 to MaxCitationDepth
	Limit            int // 1 to MaxArchiveLimit
	Offset           int // results to leave out from the top, 0 to MaxArchiveOffset
}

// ArchiveAnswer is its answer; fields and their order are the specification's.
type ArchiveAnswer struct {
	Results       []ArchiveResult `json:"results"`
	CitationGraph *CitationGraph  `json:"citationGraph,omitempty"`
	Metadata      ArchiveMetadata `json:"metadata"`
}

// ArchiveMetadata repeats the query.
type ArchiveMetadata struct {
	TotalResults     int    `json:"totalResults"`
	Query            string `json:"query"`
	Fuzzy            bool   `json:"fuzzy"`
	IncludeCitations bool   `json:"includeCitations"`
	CitationDepth    int    `json:"citationDepth"`
	Limit            int    `json:"limit"`
	Offset           int    `json:"offset,omitempty"`
	NextOffset       int    `json:"nextOffset,omitempty"` // of the results that follow, 0: there are none
	// what was shortened or left out of an answer that would be too long
	Note string `json:"note,omitempty"`
}

// ArchiveResult is one found document.
type ArchiveResult struct {
	Document   ArchiveDocument `json:"document"`
	Highlights []Highlight     `json:"highlights"`
	Citations  *Citations      `json:"citations,omitempty"`
}

// ArchiveDocument is what a result says about a document.
type ArchiveDocument struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Path   string  `json:"path"`
	Source string  `json:"source"` // "research", or "url" for a saved page
	Date   string  `json:"date"`
	Score  float64 `json:"score"`         // in [0,1]
	File   string  `json:"file"`          // absolute
	URL    string  `json:"url,omitempty"` // of a saved page
}

// Highlight is what was found in one field, "title" or "content".
type Highlight struct {
	Field    string   `json:"field"`
	Snippets []string `json:"snippets"` // with <mark> around what was found
}

// Citations are a document's: those it makes and those it gets, each to the depth that was asked for, nearest first.
type Citations struct {
	Citing []Citation `json:"citing"`
	Cited  []Citation `json:"cited"`
	// Omitted counts those of both lists that were met and are not in the answer.
	Omitted int `json:"omitted,omitempty"`
}

// Citation is one link from a document to an address.
type Citation struct {
	SourceID   string  `json:"sourceId"`
	TargetID   *string `json:"targetId"` // null: the address is not in the archive
	TargetURL  string  `json:"targetUrl"`
	Context    string  `json:"context"`
	Confidence float64 `json:"confidence"`
	// The titles of the two documents, without that of the result itself.
	SourceTitle string `json:"sourceTitle,omitempty"`
	TargetTitle string `json:"targetTitle,omitempty"`
}

// CitationGraph is the citations of all results as nodes and edges.
type CitationGraph struct {
	Nodes []CitationNode `json:"nodes"`
	Edges []CitationEdge `json:"edges"`
}

// CitationNode is a document, or an address outside the archive.
type CitationNode struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"` // "source": a result, or what cites; "target": what is cited
}

// CitationEdge is one citation.
type CitationEdge struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Confidence float64 `json:"confidence"`
}

// ArchiveReport is what an import did.
type ArchiveReport struct {
	Folder    string   `json:"folder"`
	Archive   string   `json:"archive"`   // the database
	Documents int      `json:"documents"` // of this folder, now in the archive
	Added     int      `json:"added"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
	Removed   int      `json:"removed"`   // whose files are gone
	Citations int      `json:"citations"` // of this folder's documents
	Resolved  int      `json:"resolved"`  // of them, to a document of the archive
	Skipped   []string `json:"skipped,omitempty"`
}

// ArchiveInfo describes an archive in a list.
type ArchiveInfo struct {
	Path      string          `json:"path"`
	Exists    bool            `json:"exists"` // searchLocalArchives is served
	Documents int             `json:"documents"`
	Citations int             `json:"citations"`
	Resolved  int             `json:"resolved"` // of the citations, to documents of the archive
	Bytes     int64           `json:"bytes"`
	Folders   []ArchiveFolder `json:"folders"`           // by path
	Problem   string          `json:"problem,omitempty"` // why it can't be searched
}

// ArchiveFolder is an imported folder.
type ArchiveFolder struct {
	Folder    string `json:"folder"` // absolute
	Documents int    `json:"documents"`
}
