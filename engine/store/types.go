package store

import (
	"errors"
	"log/slog"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// ErrClosed is returned by a Store that was closed, replaced or abandoned.
var ErrClosed = errors.New("store is closed")

// ErrVectors is wrapped by errors about unusable vectors.
var ErrVectors = errors.New("vector store is not usable")

// ErrNoVectors is wrapped by VectorProblem if Options.NoVectors is set.
var ErrNoVectors = errors.New("the vectors are stored elsewhere")

// Options configures a Store.
type Options struct {
	// ModelHash identifies the model of the vectors. It is "" without an embedder.
	ModelHash string
	// ChunkerVersion is compared with the version of the stored chunks; see Store.Outdated.
	ChunkerVersion string
	// Input returns a chunk's input to the model. With Input and Cache, Compact finds vectors without reading the table.
	Input func(api.Chunk) string
	// Static makes vectors that are available at once. It may be nil.
	Static Static
	// Cache may be nil.
	Cache *cache.Cache
	// Priority orders the result of Missing, highest first, after files being edited and files found by searches. It may
	// be nil.
	Priority func(path string) int
	// Tables opens vector tables. If it is nil, opening fails with vector.ErrNoNative.
	Tables *vector.DB
	// NoVectors keeps the vector table closed, because the vectors are stored elsewhere (View.NearestBy).
	NoVectors bool
	// MaxWrite limits the bytes of chunks written to the text index at once, to bound memory. Zero means no limit.
	MaxWrite int
	Log      *slog.Logger // nil: slog.Default()
}

// Stamp is the state of a file when it was read.
type Stamp = files.Stamp

// Metadata is RFC 3.4's metadata.json.
type Metadata = files.Metadata

// Types of the two indexes, so that callers need not import them.
type (
	TextQuery = text.Query
	TextHit   = text.Hit
	VectorHit = vector.Hit
)

// FileChunks is the content of a file in chunks. An empty file has none.
type FileChunks struct {
	Path   string
	Hash   string // SHA-256 of the content, lower-case hex
	Stamp  Stamp
	Chunks []api.Chunk
}

// VectorRow is a committed chunk with its vector.
type VectorRow struct {
	Chunk  api.Chunk
	Vector api.Vector
}

// Filter restricts Nearest. The zero value admits every row.
type Filter struct {
	Language string
	Paths    func(path string) bool
	// Static searches static vectors: those of chunks without a vector of the model or, if All is set, of every chunk. The
	// query vector must be static too.
	Static, All bool
}

// Stats counts the committed content.
type Stats struct {
	Files, Chunks       int // both corpora
	DocFiles, DocChunks int // the docs corpus, included in Files and Chunks
	Vectors             int // chunks with a vector; an estimate until the first Missing after Open
	Static              int // chunks with a static vector, not counting outlines and files in progress
	SizeBytes           int64
	DocSizeBytes        int64
	LastCommit          time.Time // zero if there was no commit since Open
}

// CorpusCheck is the result of Check for one corpus.
type CorpusCheck struct {
	Files, Chunks  int
	NoRows         []string // sorted paths with a fingerprint but without rows in the text index
	OrphanRows     int      // text rows without a fingerprint
	OrphanVectors  int      // vector rows without a committed chunk, or duplicates
	MissingVectors int      // committed chunks without a vector: pending work, not damage
	VectorProblem  string
}

// CheckReport is the result of Check.
type CheckReport struct {
	Corpora map[api.Corpus]CorpusCheck
	// InBothCorpora lists the sorted paths that are in both.
	InBothCorpora []string
}

// Clean reports whether nothing needs repair.
func (r CheckReport) Clean() bool {
	for _, c := range r.Corpora {
		if len(c.NoRows)+c.OrphanRows+c.OrphanVectors > 0 || c.VectorProblem != "" {
			return false
		}
	}
	return len(r.InBothCorpora) == 0
}
