package api

// Defaults and limits of the tool searchLocalArchives.
const (
	DefaultArchiveLimit, MaxArchiveLimit   = 10, 50 // results per call
	DefaultCitationDepth, MaxCitationDepth = 1, 3
	MaxArchiveOffset                       = 1000
)

type ArchiveQuery struct {
	Text             string
	Fuzzy            bool
	IncludeCitations bool
	CitationDepth    int
	Limit            int
	Offset           int // number of results to skip
}

type ArchiveAnswer struct {
	Results       []ArchiveResult `json:"results"`
	CitationGraph *CitationGraph  `json:"citationGraph,omitempty"`
	Metadata      ArchiveMetadata `json:"metadata"`
}

type ArchiveMetadata struct {
	TotalResults     int    `json:"totalResults"`
	Query            string `json:"query"`
	Fuzzy            bool   `json:"fuzzy"`
	IncludeCitations bool   `json:"includeCitations"`
	CitationDepth    int    `json:"citationDepth"`
	Limit            int    `json:"limit"`
	Offset           int    `json:"offset,omitempty"`
	NextOffset       int    `json:"nextOffset,omitempty"` // 0 on the last page
	// Note describes the parts of a long answer that were omitted.
	Note string `json:"note,omitempty"`
}

type ArchiveResult struct {
	Document   ArchiveDocument `json:"document"`
	Highlights []Highlight     `json:"highlights"`
	Citations  *Citations      `json:"citations,omitempty"`
}

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

// Highlight contains the snippets of a document that match the query.
type Highlight struct {
	Field    string   `json:"field"`    // "title" or "content"
	Snippets []string `json:"snippets"` // matches are marked with <mark>
}

type Citations struct {
	Citing  []Citation `json:"citing"`
	Cited   []Citation `json:"cited"`
	Omitted int        `json:"omitted,omitempty"`
}

type Citation struct {
	SourceID   string  `json:"sourceId"`
	TargetID   *string `json:"targetId"` // null if the archive does not contain the target
	TargetURL  string  `json:"targetUrl"`
	Context    string  `json:"context"`
	Confidence float64 `json:"confidence"`
	// SourceTitle and TargetTitle are the titles of the documents. The title of the search result is omitted.
	SourceTitle string `json:"sourceTitle,omitempty"`
	TargetTitle string `json:"targetTitle,omitempty"`
}

type CitationGraph struct {
	Nodes []CitationNode `json:"nodes"`
	Edges []CitationEdge `json:"edges"`
}

type CitationNode struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"` // "source" for a result or a citing document, "target" for a cited one
}

type CitationEdge struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Confidence float64 `json:"confidence"`
}

type ArchiveReport struct {
	Folder    string   `json:"folder"`
	Archive   string   `json:"archive"`
	Documents int      `json:"documents"` // this folder's documents in the archive after the import
	Added     int      `json:"added"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
	Removed   int      `json:"removed"`
	Citations int      `json:"citations"` // of this folder's documents
	Resolved  int      `json:"resolved"`  // citations whose target is in the archive
	Skipped   []string `json:"skipped,omitempty"`
}

type ArchiveInfo struct {
	Path      string          `json:"path"`
	Exists    bool            `json:"exists"`
	Documents int             `json:"documents"`
	Citations int             `json:"citations"`
	Resolved  int             `json:"resolved"`
	Bytes     int64           `json:"bytes"`
	Folders   []ArchiveFolder `json:"folders"`
	Problem   string          `json:"problem,omitempty"` // why the archive can't be searched
}

type ArchiveFolder struct {
	Folder    string `json:"folder"`
	Documents int    `json:"documents"`
}
