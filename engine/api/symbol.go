package api

import (
	"strconv"
	"strings"
)

const MaxName = 400

type SymbolQuery struct {
	// Name may be qualified, such as "Sessions.rotate" or "pkg::Type".
	Name string
	Uses bool
	// Path is a file or folder. Definitions outside of Path are ignored, uses are not.
	Path string
	Line int // line of the name in the file Path; 0 means any line
	// Complete disables the time limit, so that all files are searched.
	Complete bool
}

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

type SymbolDefinition struct {
	Name      string `json:"name"` // qualified name, with scopes separated by dots
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes from 1
	Signature string `json:"signature"`
	Comment   string `json:"comment,omitempty"`
	Language  string `json:"language,omitempty"`
	Project   string `json:"project,omitempty"`
}

const (
	UseCall    = "call"
	UseMention = "mention"
	UseImport  = "import"
	UseString  = "string"  // in a string or in a file that is not code
	UseComment = "comment" // in a comment or in prose
)

type SymbolUse struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Role   string `json:"role"`
	In     string `json:"in,omitempty"`
	Source string `json:"source"`
}

type SymbolFile struct {
	Path    string      `json:"path"`
	Test    bool        `json:"test,omitempty"`
	Project string      `json:"project,omitempty"`
	Uses    []SymbolUse `json:"uses"`
}

type SymbolResults struct {
	Definitions   []SymbolDefinition `json:"definitions"`
	Uses          []SymbolFile       `json:"uses,omitempty"`
	TotalUses     int                `json:"totalUses"`
	Possible      []SymbolFile       `json:"possible,omitempty"`
	TotalPossible int                `json:"totalPossible,omitempty"`
	Text          []SymbolFile       `json:"text,omitempty"`
	TotalText     int                `json:"totalText,omitempty"`
	// NotRead lists files that contain the name, but whose language is not supported.
	NotRead []string `json:"notRead,omitempty"`
	// Unread estimates the number of files that were not searched before the time limit.
	Unread int `json:"unread,omitempty"`
	// Like is true if no definition has the requested name, and Definitions lists definitions of similar names.
	Like bool `json:"like,omitempty"`
	// Implicit reports that the definition has no uses by its name, but a framework may call it, or an import may give
	// it another name.
	Implicit bool `json:"implicit,omitempty"`
	// Missing reports that no file contains the name or a similar one.
	Missing bool     `json:"missing,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

type OutlineQuery struct {
	Path string // file or folder; "" or "." means the whole project
	// Query selects declarations by relevance. By default, all declarations are listed.
	Query string
	Name  string
	Line  int
}

func (q *OutlineQuery) At(place string) { q.Path, q.Line = splitPlace(place) }

type Declared struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	Signature string `json:"signature"`
	StartLine int    `json:"startLine"` // including the comment
	EndLine   int    `json:"endLine"`
	Text      string `json:"text,omitempty"` // empty if too many declarations match
}

type OutlineNode struct {
	Name      string        `json:"name"`
	Kind      string        `json:"kind"`
	Signature string        `json:"signature"`
	StartLine int           `json:"startLine"`
	EndLine   int           `json:"endLine"`
	Children  []OutlineNode `json:"children,omitempty"`
}

type OutlineFile struct {
	Path    string   `json:"path"`
	Symbols []string `json:"symbols"`
	Uses    int      `json:"uses"` // chunks in other files that use names from this file
}

type OutlineFolder struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
}

// Outline lists the declarations of a file, or the files of a folder.
type Outline struct {
	Path      string          `json:"path"`
	Declared  []Declared      `json:"declared,omitempty"`  // declarations with OutlineQuery's name or line
	Nodes     []OutlineNode   `json:"nodes,omitempty"`     // declarations in a file
	Folders   []OutlineFolder `json:"folders,omitempty"`   // subfolders of a folder
	Languages []string        `json:"languages,omitempty"` // languages in a folder
	Files     []OutlineFile   `json:"files,omitempty"`     // files in a folder
	Total     int             `json:"total"`               // files in the folder or declarations in the file
	Notes     []string        `json:"notes,omitempty"`
}
