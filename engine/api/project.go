package api

import "time"

// Root is one folder of a project. The first root of a project has Name "".
type Root struct {
	Name string `json:"name,omitempty"` // paths of further roots begin with "@name/"
	Path string `json:"path"`           // absolute, symlinks resolved, NFC, no trailing slash
}

// State is what a project is doing, in one word. get_index_status, list_projects and the app all show this value.
type State string

// The states of a project.
const (
	StateNotIndexed State = "not_indexed" // known or detected, no index yet
	StateIndexing   State = "indexing"    // files are being read into the text index; searches answer from what is there
	StateEmbedding  State = "embedding"   // every file is searchable by text; vectors still follow
	StateReady      State = "ready"       // text and vectors complete
	StatePaused     State = "paused"      // a person paused it
	StateOffline    State = "offline"     // the root is missing or unreadable; nothing is deleted
	StateDegraded   State = "degraded"    // usable by text only: model, vectors or native library failed
	// answers from what was indexed before; what follows can't be indexed (disk full)
	StateStalled State = "stalled"
	StateError   State = "error" // not usable; Problem says why
)

// Strategy is when changed files are indexed (RFC 5.7).
type Strategy string

// The strategies of RFC 5.7.
const (
	Realtime Strategy = "realtime"
	Lazy     Strategy = "lazy"
	Git      Strategy = "git"
)

// Project is a snapshot of one project; the single truth that status, list_projects, window and command line show.
type Project struct {
	ID    string `json:"id"`   // folder name under indexes/: SHA-256 of the root, 32 hex (legacy: 16)
	Name  string `json:"name"` // base name of the first root, unique among the registered projects
	Roots []Root `json:"roots"`
	State State  `json:"state"`

	Files     int   `json:"files"`     // committed files, both corpora
	Chunks    int   `json:"chunks"`    // committed chunks, both corpora
	DocFiles  int   `json:"docFiles"`  // of Files, those in the docs corpus
	DocChunks int   `json:"docChunks"` // of Chunks, those in the docs corpus
	Vectors   int   `json:"vectors"`   // of Chunks, those with a vector; under the setting light, a static one
	Static    int   `json:"static"`    // of Chunks, those with a static vector alone
	SizeBytes int64 `json:"sizeBytes"` // of the index on disk
	Pending   int   `json:"pending"`   // files known to have changed and not yet committed
	Updated   int   `json:"updated"`   // file changes committed after a full index, since the project was opened

	CreatedAt   time.Time `json:"createdAt,omitzero"`
	LastFull    time.Time `json:"lastFull,omitzero"`
	LastUpdated time.Time `json:"lastUpdated,omitzero"`
	LastAsked   time.Time `json:"lastAsked,omitzero"` // when a search last asked it alone or found its best there, near enough

	Strategy      Strategy `json:"strategy"`
	WatcherActive bool     `json:"watcherActive"`
	WatcherNote   string   `json:"watcherNote,omitempty"` // e.g. part of the tree is polled, with the remedy
	Waiting       string   `json:"waiting,omitempty"`     // why embedding waits: battery, load
	Skipped       Skipped  `json:"skipped,omitempty"`
	// Examples names a few of the skipped files and folders by reason, those that can't be read foremost.
	Examples map[Reason][]string `json:"examples,omitempty"`
	// PartialFiles counts files that are indexed in part, Partial names the first of them.
	PartialFiles int       `json:"partialFiles,omitempty"`
	Partial      []Partial `json:"partial,omitempty"`
	// Notices are errors of RFC 6.2 that keep nothing from working: some files can't be read, there are very many.
	Notices     []*Error  `json:"notices,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"`    // configuration and integrity warnings a person can act on
	Problem     *Error    `json:"problem,omitempty"`     // in StateDegraded, StateStalled, StateOffline, StateError
	Progress    *Progress `json:"progress,omitempty"`    // of the running job, if any
	AlwaysAllow bool      `json:"alwaysAllow,omitempty"` // create_index needs no question for this project

	Shared *SharedIndex `json:"shared,omitempty"` // overlaid by this project's own index
}

// SharedIndex is what is known of an index on S3-compatible storage that a person has laid under a project's own:
// files whose content it has are answered from it and not indexed here.
type SharedIndex struct {
	Location  string    `json:"location"` // s3://bucket/prefix with endpoint and region, never a secret
	Published time.Time `json:"published,omitzero"`
	Files     int       `json:"files"`
	Chunks    int       `json:"chunks"`
	Checked   time.Time `json:"checked,omitzero"`  // when the storage last answered
	Note      string    `json:"note,omitempty"`    // what limits its answers, in words
	Problem   string    `json:"problem,omitempty"` // why it could not be brought up to date, in words
}

// PublishStage is a part of publishing a shared index.
type PublishStage string

// The stages, in order.
const (
	PublishTexts   PublishStage = "texts"   // files read, and their texts sent where they are new
	PublishVectors PublishStage = "vectors" // vectors sent, of those that are new
)

// Publication says what came of publishing a shared index.
type Publication struct {
	SharedIndex
	Unchanged   bool  `json:"unchanged"`   // the publication before says the same and stays
	VectorsSent int64 `json:"vectorsSent"` // those that the publication before did not have
}

// Root returns the project's first root.
func (p Project) Root() string {
	if len(p.Roots) == 0 {
		return ""
	}
	return p.Roots[0].Path
}

// Reason is why a file is not indexed.
type Reason string

// The reasons, in the order of RFC 5.2's inclusion logic. SkipNone means the file is indexed.
const (
	SkipNone       Reason = ""
	SkipPath       Reason = "unsafe_path"   // outside the root, control or bidi characters
	SkipDepth      Reason = "too_deep"      // more than 20 folders down
	SkipOwnData    Reason = "own_data"      // the app's own data folder
	SkipCheckout   Reason = "checkout"      // another working tree of the repository: a project of its own
	SkipSymlink    Reason = "symlink"       // RFC 5.2: never followed
	SkipSpecial    Reason = "special_file"  // socket, device, pipe
	SkipDenied     Reason = "deny_list"     // the hard deny list
	SkipSecret     Reason = "secret"        // known secrets outside the deny list (RFC 5.2)
	SkipExcluded   Reason = "excluded"      // config.exclude
	SkipIgnored    Reason = "gitignore"     // .gitignore and its kin, .searchignore
	SkipBinary     Reason = "binary"        // by extension or a NUL in the first 8 KB
	SkipSize       Reason = "too_large"     // over maxFileSize
	SkipNotInclude Reason = "not_included"  // config.include is not the default and nothing in it matches
	SkipUnreadable Reason = "unreadable"    // permission denied or an I/O error
	SkipOnline     Reason = "online_only"   // a placeholder of a cloud drive, which reading would download
	SkipFormat     Reason = "format"        // a document that is neither Markdown, HTML nor text
	SkipDocsOff    Reason = "docs_disabled" // matches docPatterns while indexDocs is false
	SkipShared     Reason = "shared"        // the shared index has it, so it is found without being indexed here
)

// Skipped counts skipped files by reason; a skipped folder counts once.
type Skipped map[Reason]int

// Partial is a file that is indexed, but not all of it or not as it stands there.
type Partial struct {
	Path string `json:"path"`
	// CutFrom is the first line that is not indexed: the lines before it make the most chunks that a file may have (RFC
	// 5.2). 0: all are.
	CutFrom int `json:"cutFrom,omitempty"`
	// Replaced counts the bytes that are in no known encoding, and NULs.
	Replaced int `json:"replaced,omitempty"`
	// Guessed is the encoding that it is read in, where another one may be meant.
	Guessed string `json:"guessed,omitempty"`
	// Plain says why the file is cut by its size alone: its parser crashed on it, or no parser could run.
	Plain Plain `json:"plain,omitempty"`
}

// Plain is why a file is cut by its size alone.
type Plain string

// The reasons.
const (
	PlainCrash Plain = "crash" // stays so for this version of the program
	PlainAway  Plain = "away"  // until parsers run again
)

// Preview is what indexing a folder would do, found without writing anything.
type Preview struct {
	Root       string              `json:"root"`
	Name       string              `json:"name"`
	Files      int                 `json:"files"`
	Bytes      int64               `json:"bytes"`
	Languages  map[string]int      `json:"languages"` // files by language
	Skipped    Skipped             `json:"skipped"`
	Examples   map[Reason][]string `json:"examples,omitempty"` // a few skipped paths each
	Searchable time.Duration       `json:"searchable"`         // estimate until every file is searchable by text
	Duration   time.Duration       `json:"duration"`           // estimate until all vectors are there
	DiskBytes  int64               `json:"diskBytes"`          // estimate of the index's size
	OverLimit  bool                `json:"overLimit"`          // more files than maxFiles
	Truncated  bool                `json:"truncated"`          // the scan hit its time limit; figures are lower bounds
	Broad      bool                `json:"broad"`              // "/", a home folder …: a person is asked twice
	Warnings   []string            `json:"warnings,omitempty"`
	Problem    *Error              `json:"problem,omitempty"` // why it can't be done now: DISK_FULL
}
