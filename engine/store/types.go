package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/cache"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

var ErrClosed = errors.New("store is closed")

var ErrVectors = errors.New("vector store is not usable")

// ErrNoVectors means that the index was opened with Options.NoVectors.
var ErrNoVectors = errors.New("the vectors are stored elsewhere")

type Options struct {
	// ModelHash is "" if no embedding model is available.
	ModelHash      string
	ChunkerVersion string
	// Input returns the text of a chunk for the embedding model. Compact uses Input to read vectors from Cache.
	Input  func(api.Chunk) string
	Static Static
	Cache  *cache.Cache
	// Priority orders the chunks that Missing returns. It may be nil.
	Priority func(path string) int
	// Tables opens the vector tables. If it is nil, opening them fails with vector.ErrNoNative.
	Tables *vector.DB
	// NoVectors means that the index has no vector tables. View.NearestBy searches vectors that are stored elsewhere.
	NoVectors bool
	Log       *slog.Logger
}

type Stamp = files.Stamp

type Metadata = files.Metadata

type (
	TextQuery = text.Query
	TextHit   = text.Hit
	VectorHit = vector.Hit
)

type FileChunks struct {
	Path   string
	Hash   string // SHA-256 of the content, lower-case hex
	Stamp  Stamp
	Chunks []api.Chunk
}

type VectorRow struct {
	Chunk  api.Chunk
	Vector api.Vector
}

// Filter restricts a search for nearest vectors. The zero value admits all vectors of the embedding model.
type Filter struct {
	Language string
	Paths    func(path string) bool
	// Static searches the chunks without a vector of the embedding model. The query must be a static vector.
	Static bool
	// All includes chunks that have a vector from the embedding model. It needs Static.
	All bool
}

type Stats struct {
	Files, Chunks       int // in both corpora
	DocFiles, DocChunks int // the docs corpus, included in Files and Chunks
	Vectors             int // chunks with a vector of the embedding model
	Static              int // chunks with a static vector
	SizeBytes           int64
	DocSizeBytes        int64
	LastCommit          time.Time // zero if there was no commit since Open
}

type CorpusCheck struct {
	NoRows        []string // paths with a fingerprint but without rows in the text index
	OrphanRows    int      // text rows without a fingerprint
	OrphanVectors int      // vector rows without a committed chunk, or duplicates
	VectorProblem string
}

type CheckReport struct {
	Corpora       map[api.Corpus]CorpusCheck
	InBothCorpora []string
}

func (r CheckReport) Clean() bool {
	for _, c := range r.Corpora {
		if len(c.NoRows)+c.OrphanRows+c.OrphanVectors > 0 || c.VectorProblem != "" {
			return false
		}
	}
	return len(r.InBothCorpora) == 0
}

// partialName is the file that lists partially indexed files.
const partialName = "partial.json"

func ReadPartial(dir string) (list []api.Partial, err error) {
	err = files.ReadJSON(filepath.Join(dir, partialName), &list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read list of partially indexed files: %w", err)
	}
	return list, nil
}

func WritePartial(dir string, list []api.Partial) error {
	return files.WriteJSON(filepath.Join(dir, partialName), list)
}
