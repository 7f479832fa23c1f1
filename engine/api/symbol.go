package api

import (
	"strconv"
	"strings"
)

// MaxName is how long a name may be that is asked for, in bytes, its scopes included.
const MaxName = 400

// SymbolQuery asks where a name is defined and used.
type SymbolQuery struct {
	// Name is a name, or one behind the scopes that it stands in: "rotate", "Sessions.rotate", "pkg::Type".
	Name string
	Uses bool // its uses too
	// Path limits the definitions to a file, a folder or what a glob matches; uses may be anywhere.
	Path string
	Line int // of the name in the file that Path is: this definition and no other; 0: any
	// Complete reads every file that has the word, however long that takes; else an answer comes within a fixed time and
	// says what it left out.
	Complete bool
}

// At sets Path and Line from a place as tools write it: PATH, PATH:LINE or PATH:FIRST-LAST.
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

// SymbolDefinition is where a name is defined.
type SymbolDefinition struct {
	Name      string `json:"name"` // with the scopes that it stands in, joined by dots
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Line      int    `json:"line"`   // of the name
	Column    int    `json:"column"` // of the name, in bytes from 1
	Signature string `json:"signature"`
	Comment   string `json:"comment,omitempty"` // its first sentence
	Language  string `json:"language,omitempty"`
	Project   string `json:"project,omitempty"`
}

// The roles of a use.
const (
	UseCall    = "call"
	UseMention = "mention"
	UseImport  = "import"
	UseString  = "string"  // in a string, or in a file without code
	UseComment = "comment" // in a comment or in prose
)

// SymbolUse is one place that uses a name.
type SymbolUse struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Role   string `json:"role"`
	In     string `json:"in,omitempty"` // the definition that it stands in
	Source string `json:"source"`       // the line
}

// SymbolFile is the uses of a name in a file.
type SymbolFile struct {
	Path    string      `json:"path"`
	Test    bool        `json:"test,omitempty"`
	Project string      `json:"project,omitempty"`
	Uses    []SymbolUse `json:"uses"`
}

// SymbolResults answers a SymbolQuery.
type SymbolResults struct {
	Definitions []SymbolDefinition `json:"definitions"` // the likeliest first
	Uses        []SymbolFile       `json:"uses,omitempty"`
	TotalUses   int                `json:"totalUses"`
	// Possible are places that may mean the name: nothing says what they are called on, or they name it in a string or in
	// a file without code. TotalUses leaves them out.
	Possible      []SymbolFile `json:"possible,omitempty"`
	TotalPossible int          `json:"totalPossible,omitempty"`
	// Text are the other places that have the word: in comments and prose, and where it is another definition's name.
	Text      []SymbolFile `json:"text,omitempty"`
	TotalText int          `json:"totalText,omitempty"`
	// NotRead are files that hold the name in languages whose names are not read, where no definition was found.
	NotRead []string `json:"notRead,omitempty"`
	// Unread is about how many files that have the word were not read for want of time.
	Unread int `json:"unread,omitempty"`
	// Like is set where no definition has the name itself: those shown have one like it.
	Like  bool     `json:"like,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// OutlineQuery asks what is declared in a file, or what matters in a folder.
type OutlineQuery struct {
	Path string // of a file or folder; "" or ".": the project
	// Query asks for those of a file's declarations that words lead to, the best first; "": all as they stand.
	Query string
	// Name asks for the declarations of a name, which may be qualified, with their text: in the file, below the folder, or
	// in the project.
	Name string
	// Line asks for the innermost declaration around a line of the file, with its text. With Name it chooses between
	// several.
	Line int
	// Files is how many files of a folder are told, the most used first.
	Files int
}

// At sets Path and Line from a place as tools write it: PATH, PATH:LINE or PATH:FIRST-LAST.
func (q *OutlineQuery) At(place string) { q.Path, q.Line = splitPlace(place) }

// Declared is a declaration with its text.
type Declared struct {
	Name      string `json:"name"` // qualified
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	Signature string `json:"signature"`
	StartLine int    `json:"startLine"` // of its comment, if it has one
	EndLine   int    `json:"endLine"`
	Text      string `json:"text,omitempty"` // the lines; empty where an answer has too many declarations
}

// OutlineNode is a declaration of a file and what stands in it.
type OutlineNode struct {
	Name      string        `json:"name"`
	Kind      string        `json:"kind"`
	Signature string        `json:"signature"`
	StartLine int           `json:"startLine"`
	EndLine   int           `json:"endLine"`
	Children  []OutlineNode `json:"children,omitempty"`
}

// OutlineFile is a file of a folder with the names that are used most elsewhere.
type OutlineFile struct {
	Path    string   `json:"path"`
	Symbols []string `json:"symbols"` // the most used first
	Uses    int      `json:"uses"`    // chunks that have its names, its own left out
}

// OutlineFolder is a folder below the one that was asked about.
type OutlineFolder struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
}

// Outline answers an OutlineQuery: Declared for a name or line, Nodes for a file, the other lists for a folder.
type Outline struct {
	Path      string          `json:"path"`
	Declared  []Declared      `json:"declared,omitempty"`
	Nodes     []OutlineNode   `json:"nodes,omitempty"`
	Folders   []OutlineFolder `json:"folders,omitempty"`
	Languages []string        `json:"languages,omitempty"`
	Files     []OutlineFile   `json:"files,omitempty"`
	Total     int             `json:"total"` // files of the folder, or declarations of the file
	Notes     []string        `json:"notes,omitempty"`
}
