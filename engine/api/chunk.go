package api

// Corpus tells the two halves of a project's index apart (RFC 3.1): every indexed file belongs to exactly one.
type Corpus string

// The two corpora of a project.
const (
	CorpusCode Corpus = "code" // index.lancedb, fingerprints.json
	CorpusDocs Corpus = "docs" // docs.lancedb, docs-fingerprints.json: files that match docPatterns
)

// Corpora lists both, in the order in which they are opened and reported.
var Corpora = []Corpus{CorpusCode, CorpusDocs}

// VectorDim is the width of an embedding (RFC 3.2: Float32[384] of MiniLM).
const VectorDim = 384

// Chunk is one searchable piece of a file (RFC 5.3).
type Chunk struct {
	// ID has the form of a UUIDv4 and is a function of (Path, ContentHash, Ordinal), so writing a chunk twice
	// leaves one row.
	ID string
	// Path is relative to the project, slash-separated, in NFC; files of a project's further roots begin with "@name/".
	Path string
	// Text is the chunk as it stands in the file, whole lines where the splitter could keep them.
	Text string
	// StartLine and EndLine are 1-based and inclusive; both are 0 in the outline of a file, a row that stands for all of it in
	// the search by meaning and is never shown.
	StartLine, EndLine int
	// ContentHash is the SHA-256 of the whole source file, lower-case hex.
	ContentHash string
	// Ordinal is the chunk's number within its file, from 0.
	Ordinal int
	// Language is the lower-case name of the file's language ("go", "markdown"), "" when unknown.
	Language string
	// Breadcrumb says where the chunk stands within its file, outermost first (class, function; headings of a document).
	Breadcrumb []string
	// Symbols are the names that the chunk defines, not those it uses.
	Symbols []string
}

// Vector is one embedding, of unit length.
type Vector = [VectorDim]float32
