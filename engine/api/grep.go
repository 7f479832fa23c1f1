package api

const MaxPattern = 2000

type GrepQuery struct {
	Pattern    string `json:"pattern"` // RE2 syntax, matched line by line
	Literal    bool   `json:"literal,omitempty"`
	IgnoreCase bool   `json:"ignoreCase,omitempty"`
	Path       string `json:"path,omitempty"` // a file, a folder or a glob pattern
	Language   string `json:"language,omitempty"`
	Context    int    `json:"context,omitempty"`
	// Hits is the maximum number of lines to return. The default is MaxGrepHits.
	Hits int `json:"hits,omitempty"`
}

const MaxGrepHits = 10000

type GrepHit struct {
	Line   int      `json:"line"`
	Column int      `json:"column"` // of the first match, in bytes from 1
	Text   string   `json:"text"`   // the line, or the part around the first match of a long line
	Marks  [][2]int `json:"marks"`  // first and end byte offsets of the matches in Text
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
	// In is the qualified name of the declaration that contains the line.
	In        string `json:"in,omitempty"`
	StartLine int    `json:"startLine,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
}

const (
	GrepCode  = ""
	GrepTexts = "text" // prose, configuration, data
	GrepTests = "test"
	GrepCopy  = "copy" // vendored, generated or minified
)

type GrepFile struct {
	Path    string    `json:"path"`
	Project string    `json:"project,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Total   int       `json:"total"`
	Hits    []GrepHit `json:"hits,omitempty"`
}

type GrepResults struct {
	Files    []GrepFile `json:"files"`
	Total    int        `json:"total"`
	Searched int        `json:"searched"`
	Notes    []string   `json:"notes,omitempty"`
}
