package api

// MaxPattern is the largest length of a pattern, in bytes.
const MaxPattern = 2000

// GrepQuery asks for the lines of a project's indexed files that match a pattern.
type GrepQuery struct {
	Pattern    string `json:"pattern"` // a regular expression in RE2's syntax, matched with one line at a time
	Literal    bool   `json:"literal,omitempty"`
	IgnoreCase bool   `json:"ignoreCase,omitempty"`
	Path       string `json:"path,omitempty"` // a file, a folder or a glob
	Language   string `json:"language,omitempty"`
	Context    int    `json:"context,omitempty"` // lines before and after each hit
	// Hits bounds the hits that are returned; all are counted. 0: no bound but MaxGrepHits.
	Hits int `json:"hits,omitempty"`
}

// MaxGrepHits is the largest number of hits that an answer lists.
const MaxGrepHits = 10000

// GrepHit is a matching line.
type GrepHit struct {
	Line   int      `json:"line"`
	Column int      `json:"column"` // of the first match, in bytes from 1
	Text   string   `json:"text"`   // the line; of a long one the part around the first match
	Marks  [][2]int `json:"marks"`  // where Text matches, in bytes
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
	// In is the qualified name of the innermost declaration around the line, with its lines; empty where there is none.
	In        string `json:"in,omitempty"`
	StartLine int    `json:"startLine,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
}

// The kinds of files, in the order in which an answer lists them.
const (
	GrepCode  = ""
	GrepTexts = "text" // prose, configuration, data
	GrepTests = "test"
	GrepCopy  = "copy" // vendored, generated or minified
)

// GrepFile is the hits of a file.
type GrepFile struct {
	Path    string    `json:"path"`
	Project string    `json:"project,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Total   int       `json:"total"` // matching lines
	Hits    []GrepHit `json:"hits,omitempty"`
}

// GrepResults answers a GrepQuery: every file with a matching line, code first.
type GrepResults struct {
	Files []GrepFile `json:"files"`
	Total int        `json:"total"` // matching lines of all files
	// Searched is the number of files that path and language select.
	Searched int      `json:"searched"`
	Notes    []string `json:"notes,omitempty"`
}
