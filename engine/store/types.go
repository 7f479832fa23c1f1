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

// ErrClosed is returned by every method of a Store that was closed, switched away or abandoned.
var ErrClosed = errors.New("store is closed")

// ErrVectors wraps the reason why vectors cannot be read or written.
var ErrVectors = errors.New("vector store is not usable")

// ErrNoVectors is wrapped by VectorProblem if Options.NoVectors is set.
var ErrNoVectors = errors.New("the vectors are kept elsewhere")

// Options is what a Store works with.
type Options struct {
	// ModelHash names the model of the vectors; it is part of the cache's key. "" with no embedder.
	ModelHash string
	// ChunkerVersion is compared with that of the stored chunks; see Store.Outdated.
	ChunkerVersion string
	// Input is the text that the model sees of a chunk; with Cache it lets Compact find vectors without reading the
	// table. Optional.
	Input func(api.Chunk) string
	// Static makes the vectors that a chunk is found by at once. Optional.
	Static Static
	// Cache holds vectors by content. Optional.
	Cache *cache.Cache
	// Priority orders what Missing returns, highest first, after files being edited and files that somebody searched for;
	// ties are ordered by time of change, newest first. Optional.
	Priority func(path string) int
	// Tables opens vector tables; nil: there are none (vector.ErrNoNative).
	Tables *vector.DB
	// NoVectors leaves the vector table closed because its vectors are kept elsewhere (View.NearestBy).
	NoVectors bool
	// MaxWrite is how many bytes of chunks the text index takes at once, which bounds its memory; 0: all of a Put.
	MaxWrite int
	Log      *slog.Logger // nil: slog.Default()
}

// Stamp is what a file looked like when it was read.
type Stamp = files.Stamp

// Metadata is RFC 3.4's metadata.json.
type Metadata = files.Metadata

// The types of the two indexes, so that callers need not import them.
type (
	TextQuery = text.Query
	TextHit   = text.Hit
	VectorHit = vector.Hit
)

// FileChunks is one file's content in chunks. An empty file has none.
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

// Filter restricts Nearest. The zero value admits everything.
type Filter struct {
	Language string
	Paths    func(path string) bool
	// Static asks static vectors for a static one: those of chunks that have no other, or with All every chunk's.
	Static, All bool
}

// Stats counts what is committed.
type Stats struct {
	Files, Chunks       int // both corpora
	DocFiles, DocChunks int // of these, the docs corpus
	Vectors             int // of Chunks, those with a vector; an estimate until the first Missing after Open
	Static              int // of Chunks, those with a static vector, to within outlines and files in hand
	SizeBytes           int64
	DocSizeBytes        int64
	LastCommit          time.Time // zero if nothing was committed since Open
}

// CorpusCheck is what Check found in one corpus. All lists are sorted.
type CorpusCheck struct {
	Files, Chunks  int
	NoRows         []string // fingerprints whose content has no rows in the text index
	OrphanRows     int      // text rows that no fingerprint names
	OrphanVectors  int      // vector rows without a committed chunk, or duplicates
	MissingVectors int      // committed chunks without a vector: work to do, not damage
	VectorProblem  string
}

// CheckReport is what Check found.
type CheckReport struct {
	Corpora map[api.Corpus]CorpusCheck
	// InBothCorpora are paths that both corpora have.
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
