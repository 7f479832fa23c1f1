package api

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Corpus is a project's code or its documentation (RFC 3.1). Every file belongs to one corpus.
type Corpus string

const (
	CorpusCode Corpus = "code" // index.lancedb, fingerprints.json
	CorpusDocs Corpus = "docs" // docs.lancedb, docs-fingerprints.json: files that match docPatterns
)

var Corpora = []Corpus{CorpusCode, CorpusDocs}

// VectorDim is the number of dimensions of a vector (RFC 3.2).
const VectorDim = 384

type Chunk struct {
	// ID is a hash of Path, ContentHash and Ordinal.
	ID string
	// Path is relative to the project and has slashes. In additional roots, the path begins with "@name/".
	Path string
	Text string
	// StartLine and EndLine are the first and last line, from 1. They are 0 in a chunk that describes a whole file.
	StartLine, EndLine int
	ContentHash        string
	Ordinal            int
	Language           string
	// Breadcrumb lists the enclosing classes, functions or headings, outermost first.
	Breadcrumb []string
	Symbols    []string
	// Decls lists the declarations in the chunk, outer declarations first.
	Decls []Decl
}

// Decl is a declaration in code or a section of a document.
type Decl struct {
	Name      string
	Kind      string   // such as "function", "method", "type" or "section"
	Scope     []string // names of the enclosing declarations, outermost first
	Signature string   // declaration without its body, on one line
	Start     int      // first line, including comments and attributes
	Line      int
	End       int
}

const (
	chunkSize  = 200 // size of a Chunk in memory, in bytes, without its text
	declSize   = 120 // size of a Decl in memory, in bytes, without its text
	stringSize = 16  // size of a string header in bytes
)

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

// IDDigits is the number of digits of a content hash that the text index stores.
const IDDigits = 16

// ChunkID returns a chunk's key in the format of a UUIDv4 (RFC 3.2).
func ChunkID(path, contentHash string, ordinal int) string {
	if len(contentHash) > IDDigits {
		contentHash = contentHash[:IDDigits]
	}
	b := make([]byte, 0, len(path)+len(contentHash)+8)
	b = append(append(b, path...), 0)
	b = append(append(b, contentHash...), 0)
	sum := sha256.Sum256(strconv.AppendInt(b, int64(ordinal), 10))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	h := hex.EncodeToString(u)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

type Vector = [VectorDim]float32
