package api

import "time"

type Root struct {
	Name string `json:"name,omitempty"` // paths of additional roots begin with "@name/"
	Path string `json:"path"`           // absolute, canonical
}

// Prefix returns the start of the paths in the root: "@name/", or "" for a project's first root.
func (r Root) Prefix() string {
	if r.Name == "" {
		return ""
	}
	return "@" + r.Name + "/"
}

type State string

const (
	StateNotIndexed State = "not_indexed" // the folder has no index yet
	StateIndexing   State = "indexing"    // searches use the files added so far
	StateEmbedding  State = "embedding"   // searchable by text; vectors are being computed
	StateReady      State = "ready"
	StatePaused     State = "paused"
	StateOffline    State = "offline"  // the root is missing or unreadable; the index is kept
	StateDegraded   State = "degraded" // text search only: model, vectors or native library failed
	// StateStalled means that the disk is full. Searches work, but changes can't be indexed.
	StateStalled State = "stalled"
	StateError   State = "error" // the index can't be used; Problem has the reason
)

type Strategy string

const (
	Realtime Strategy = "realtime"
	Lazy     Strategy = "lazy"
	Git      Strategy = "git"
)

type Project struct {
	ID    string `json:"id"` // name of the folder in indexes/, a hash of the root
	Name  string `json:"name"`
	Roots []Root `json:"roots"`
	State State  `json:"state"`

	Files     int   `json:"files"`  // committed files in both corpora
	Chunks    int   `json:"chunks"` // committed chunks in both corpora
	DocFiles  int   `json:"docFiles"`
	DocChunks int   `json:"docChunks"`
	Vectors   int   `json:"vectors"` // chunks with a vector, which is static if the setting light is on
	Static    int   `json:"static"`
	SizeBytes int64 `json:"sizeBytes"`
	Pending   int   `json:"pending"`
	Updated   int   `json:"updated"` // changed files indexed since the project was opened

	CreatedAt   time.Time `json:"createdAt,omitzero"`
	LastFull    time.Time `json:"lastFull,omitzero"`
	LastUpdated time.Time `json:"lastUpdated,omitzero"`
	LastAsked   time.Time `json:"lastAsked,omitzero"` // last search of this project, alone or with others

	Strategy      Strategy            `json:"strategy"`
	WatcherActive bool                `json:"watcherActive"`
	WatcherNote   string              `json:"watcherNote,omitempty"` // a limitation of watching, such as polling, and a remedy
	Waiting       string              `json:"waiting,omitempty"`     // why embedding waits, such as battery power or load
	Skipped       Skipped             `json:"skipped,omitempty"`
	Examples      map[Reason][]string `json:"examples,omitempty"`
	// PartialFiles is the number of files of which only a part is indexed. Partial lists some of these files.
	PartialFiles int       `json:"partialFiles,omitempty"`
	Partial      []Partial `json:"partial,omitempty"`
	// Notices are errors that don't prevent searches (RFC 6.2).
	Notices     []*Error  `json:"notices,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"` // warnings that the user can act on
	Problem     *Error    `json:"problem,omitempty"`
	Progress    *Progress `json:"progress,omitempty"`
	AlwaysAllow bool      `json:"alwaysAllow,omitempty"` // create_index needs no confirmation

	Shared *SharedIndex `json:"shared,omitempty"`
}

// SharedIndex describes an index on S3-compatible storage.
type SharedIndex struct {
	Location  string    `json:"location"` // s3://bucket/prefix with endpoint and region, without secrets
	Published time.Time `json:"published,omitzero"`
	Files     int       `json:"files"`
	Chunks    int       `json:"chunks"`
	Checked   time.Time `json:"checked,omitzero"`
	Note      string    `json:"note,omitempty"` // a limitation of searches in the shared index
	Problem   string    `json:"problem,omitempty"`
}

type PublishStage string

const (
	PublishTexts   PublishStage = "texts"
	PublishVectors PublishStage = "vectors"
)

type Publication struct {
	SharedIndex
	Unchanged   bool  `json:"unchanged"`   // the previous publication is identical and was kept
	VectorsSent int64 `json:"vectorsSent"` // vectors that the previous publication lacked
}

func (p Project) Root() string {
	if len(p.Roots) == 0 {
		return ""
	}
	return p.Roots[0].Path
}

type Reason string

// The reasons to skip a file, in the order of RFC 5.2.
const (
	SkipNone       Reason = ""
	SkipPath       Reason = "unsafe_path" // the path is outside the root or contains control or bidi characters
	SkipDepth      Reason = "too_deep"
	SkipOwnData    Reason = "own_data"
	SkipCheckout   Reason = "checkout" // another working tree of the repository, which is a separate project
	SkipSymlink    Reason = "symlink"  // RFC 5.2: never followed
	SkipSpecial    Reason = "special_file"
	SkipDenied     Reason = "deny_list"
	SkipSecret     Reason = "secret" // other known files with secrets (RFC 5.2)
	SkipExcluded   Reason = "excluded"
	SkipIgnored    Reason = "gitignore" // .gitignore and similar files, .searchignore
	SkipBinary     Reason = "binary"    // by its extension, or because of a NUL byte in the first 8 KB
	SkipSize       Reason = "too_large"
	SkipNotInclude Reason = "not_included" // doesn't match a config.include other than the default
	SkipUnreadable Reason = "unreadable"
	SkipOnline     Reason = "online_only" // a cloud drive's placeholder; reading it would download the file
	SkipFormat     Reason = "format"      // a document that is not Markdown, HTML or plain text
	SkipDocsOff    Reason = "docs_disabled"
	SkipShared     Reason = "shared" // the shared index contains the file
)

// Skipped counts skipped files by reason. A skipped folder is counted once.
type Skipped map[Reason]int

type Partial struct {
	Path string `json:"path"`
	// CutFrom is the first line that was not indexed because the file is too long (RFC 5.2), or 0.
	CutFrom  int    `json:"cutFrom,omitempty"`
	Replaced int    `json:"replaced,omitempty"`
	Guessed  string `json:"guessed,omitempty"`
	Plain    Plain  `json:"plain,omitempty"`
}

// Plain is the reason why a file was split without a parser.
type Plain string

const (
	PlainCrash Plain = "crash" // the parser crashed; this version of the program does not retry
	PlainAway  Plain = "away"  // no parser was available; split again when parsers run
)

type Preview struct {
	Root       string              `json:"root"`
	Name       string              `json:"name"`
	Files      int                 `json:"files"`
	Bytes      int64               `json:"bytes"`
	Languages  map[string]int      `json:"languages"`
	Skipped    Skipped             `json:"skipped"`
	Examples   map[Reason][]string `json:"examples,omitempty"` // a few skipped paths per reason
	Searchable time.Duration       `json:"searchable"`         // estimated time until all files can be searched by text
	Duration   time.Duration       `json:"duration"`
	DiskBytes  int64               `json:"diskBytes"`
	OverLimit  bool                `json:"overLimit"`
	Truncated  bool                `json:"truncated"` // the counts are lower bounds
	Broad      bool                `json:"broad"`     // the user is asked twice
	Warnings   []string            `json:"warnings,omitempty"`
	Problem    *Error              `json:"problem,omitempty"` // DISK_FULL
}
