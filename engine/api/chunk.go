package api

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

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
	// ID is ChunkID of (Path, ContentHash, Ordinal), so writing a chunk twice leaves one row. Rows of older versions, and
	// of shared indexes, may have another.
	ID string
	// Path is relative to the project, slash-separated, in NFC; files of a project's further roots begin with "@name/".
	Path string
	// Text is the chunk as it stands in the file, whole lines where the splitter could keep them.
	Text string
	// StartLine and EndLine are 1-based and inclusive; both are 0 in the outline of a file, a row that stands for all of
	// it in the search by meaning and is never shown.
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
	// Decls are the declarations that the chunk has lines of, outer ones first; none in rows of older versions.
	Decls []Decl
}

// Decl is a declaration of a file of code, or a section of a document. Lines are counted from 1.
type Decl struct {
	Name      string
	Kind      string   // function, method, type, field, …; "section"
	Scope     []string // the declarations around it, outermost first
	Signature string   // its beginning, as far as its body, on one line
	Start     int      // first line, comments and attributes right above included
	Line      int      // where the signature begins
	End       int      // last line
}

// What a chunk, a declaration and a string take in memory beside the strings' bytes.
const (
	chunkSize  = 200
	declSize   = 120
	stringSize = 16
)

// Size is about what a chunk takes in memory, bytes.
func (c *Chunk) Size() int {
	n := chunkSize + len(c.ID) + len(c.Path) + len(c.Text) + len(c.ContentHash) + len(c.Language)
	list := func(all []string) {
		for _, s := range all {
			n += stringSize + len(s)
		}
	}
	list(c.Breadcrumb)
	list(c.Symbols)
	for i := range c.Decls {
		d := &c.Decls[i]
		n += declSize + len(d.Name) + len(d.Kind) + len(d.Signature)
		list(d.Scope)
	}
	return n
}

// IDDigits is how many digits of a content hash tell versions of one file apart: 64 bits.
const IDDigits = 16

// ChunkID is a chunk's key in both stores: in the form of a UUIDv4 (RFC 3.2), but a function of its arguments. Of the
// content's hash the first IDDigits digits count, so that the text index, which names its rows by these, need not keep
// the ID.
func ChunkID(path, contentHash string, ordinal int) string {
	if len(contentHash) > IDDigits {
		contentHash = contentHash[:IDDigits]
	}
	b := make([]byte, 0, len(path)+len(contentHash)+8)
	b = append(append(b, path...), 0)
	b = append(append(b, contentHash...), 0)
	sum := sha256.Sum256(strconv.AppendInt(b, int64(ordinal), 10))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x40 // version 4
	u[8] = u[8]&0x3f | 0x80 // the variant of RFC 9562
	var id [36]byte
	hex.Encode(id[:8], u[:4])
	hex.Encode(id[9:13], u[4:6])
	hex.Encode(id[14:18], u[6:8])
	hex.Encode(id[19:23], u[8:10])
	hex.Encode(id[24:], u[10:])
	id[8], id[13], id[18], id[23] = '-', '-', '-', '-'
	return string(id[:])
}

// Vector is one embedding, of unit length.
type Vector = [VectorDim]float32
