package api

import (
	"strconv"
	"strings"
)

// MaxName is the maximum length of a requested name with its scopes, in bytes.
const MaxName = 400

// SymbolQuery asks for the definitions and uses of a name.
type SymbolQuery struct {
	// Name is a name, optionally qualified by its scopes: "rotate", "Sessions.rotate", "pkg::Type".
	Name string
	Uses bool // also return uses
	// Path limits the definitions to a file, a folder or a glob. It does not limit uses.
	Path string
	Line int // line of the name in file Path, which selects one definition; 0 means any
	// Complete reads every file that contains the word. Otherwise the search has a time limit and reports the number of
	// unread files.
	Complete bool
}

// At sets Path and Line from place, in the form PATH, PATH:LINE or PATH:FIRST-LAST.
func (q *SymbolQuery) At(place string) { q.Path, q.Line = splitPlace(place) }

func splitPlace(place string) (path string, line int) {
	if i := strings.LastIndexByte(place, ':'); i > 0 {
		first, _, _ := strings.Cut(place[i+1:], "-")
		if line, err := strconv.Atoi(first); err == nil && line > 0 {
			return place[:i], line
		}
	}
	return place, 0
}

// SymbolDefinition is a definition of a name.
type SymbolDefinition struct {
	Name      string `json:"name"` // qualified with its scopes, joined by dots
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Line      int    `json:"line"`   // of the name
	Column    int    `json:"column"` // of the name, in bytes from 1
	Signature string `json:"signature"`
	Comment   string `json:"comment,omitempty"` // first sentence of the comment
	Language  string `json:"language,omitempty"`
	Project   string `json:"project,omitempty"`
}

// The roles of a use.
const (
	UseCall    = "call"
	UseMention = "mention"
	UseImport  = "import"
	UseString  = "string"  // in a string, or in a file that is not code
	UseComment = "comment" // in a comment or in prose
)

// SymbolUse is a use of a name.
type SymbolUse struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Role   string `json:"role"`
	In     string `json:"in,omitempty"` // enclosing definition
	Source string `json:"source"`       // the line
}

// SymbolFile lists the uses of a name in a file.
type SymbolFile struct {
	Path    string      `json:"path"`
	Test    bool        `json:"test,omitempty"`
	Project string      `json:"project,omitempty"`
	Uses    []SymbolUse `json:"uses"`
}

// SymbolResults is the answer to a SymbolQuery.
type SymbolResults struct {
	Definitions []SymbolDefinition `json:"definitions"` // most likely first
	Uses        []SymbolFile       `json:"uses,omitempty"`
	TotalUses   int                `json:"totalUses"`
	// Possible lists uncertain uses, which TotalUses excludes: the receiver's type is unknown, or the name is in a
	// string or a file that is not code.
	Possible      []SymbolFile `json:"possible,omitempty"`
	TotalPossible int          `json:"totalPossible,omitempty"`
	// Text lists the other occurrences of the word: in comments and prose, and as the name of other definitions.
	Text      []SymbolFile `json:"text,omitempty"`
	TotalText int          `json:"totalText,omitempty"`
	// NotRead lists files that contain the name in unsupported languages, if no definition was found.
	NotRead []string `json:"notRead,omitempty"`
	// Unread is the approximate number of files with the word that were not read before the time limit.
	Unread int `json:"unread,omitempty"`
	// Like is set if no definition matches exactly; Definitions then have similar names.
	Like  bool     `json:"like,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// OutlineQuery asks for the declarations of a file or the main files of a folder.
type OutlineQuery struct {
	Path string // file or folder; "" or ".": the project
	// Query selects the declarations of a file that match it, best first; "" lists all in order.
	Query string
	// Name, optionally qualified, selects declarations and adds their text: in the file, the folder or the project.
	Name string
	// Line selects the innermost declaration around a line of the file and adds its text. With Name it selects one of
	// several.
	Line int
	// Files is the maximum number of listed files of a folder, most used first.
	Files int
}

// At sets Path and Line from place, in the form PATH, PATH:LINE or PATH:FIRST-LAST.
func (q *OutlineQuery) At(place string) { q.Path, q.Line = splitPlace(place) }

// Declared is a declaration with its text.
type Declared struct {
	Name      string `json:"name"` // qualified
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	Signature string `json:"signature"`
	StartLine int    `json:"startLine"` // first line, including the comment
	EndLine   int    `json:"endLine"`
	Text      string `json:"text,omitempty"` // empty if the answer has too many declarations
}

// OutlineNode is a declaration of a file with its nested declarations.
type OutlineNode struct {
	Name      string        `json:"name"`
	Kind      string        `json:"kind"`
	Signature string        `json:"signature"`
	StartLine int           `json:"startLine"`
	EndLine   int           `json:"endLine"`
	Children  []OutlineNode `json:"children,omitempty"`
}

// OutlineFile is a file of a folder with its names that other files use most.
type OutlineFile struct {
	Path    string   `json:"path"`
	Symbols []string `json:"symbols"` // most used first
	Uses    int      `json:"uses"`    // chunks of other files that contain its names
}

// OutlineFolder is a subfolder of the requested folder.
type OutlineFolder struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
}

// Outline is the answer to an OutlineQuery: Declared for a name or line, Nodes for a file, the other lists for a
// folder.
type Outline struct {
	Path      string          `json:"path"`
	Declared  []Declared      `json:"declared,omitempty"`
	Nodes     []OutlineNode   `json:"nodes,omitempty"`
	Folders   []OutlineFolder `json:"folders,omitempty"`
	Languages []string        `json:"languages,omitempty"`
	Files     []OutlineFile   `json:"files,omitempty"`
	Total     int             `json:"total"` // files in the folder, or declarations in the file
	Notes     []string        `json:"notes,omitempty"`
}
