package text

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
)

var errStored = errors.New("stored row is damaged")

// Form is the version of the row format, and the first byte of a stored chunk or unit. Change Form when fields of
// api.Chunk, api.Decl or Unit change.
const Form = 4

// encode encodes a row of about size bytes.
func encode(row any, size int) []byte { return native.Append(append(make([]byte, 0, size), Form), row) }

func decode(k Key, b []byte, row any) error {
	if len(b) == 0 || b[0] != Form {
		return fmt.Errorf("%w: form of %s", errStored, k.Path)
	}
	if err := native.DecodeShared(b[1:], row); err != nil {
		return fmt.Errorf("%w: %s: %w", errStored, k.Path, err)
	}
	return nil
}

// Usual sizes of stored rows in bytes, without the text of a chunk.
const (
	chunkBytes = 512
	unitBytes  = 256
)

// encodeChunk encodes the fields of a chunk that are not in its key.
func encodeChunk(c api.Chunk) []byte {
	c.ID, c.Path, c.Language = "", "", ""
	if hash, err := hex.DecodeString(c.ContentHash); err == nil && len(hash) == sha256.Size {
		c.ContentHash = string(hash)
	}
	return encode(&c, len(c.Text)+chunkBytes)
}

func decodeChunk(k Key, b []byte) (c api.Chunk, err error) {
	err = decode(k, b, &c)
	c.ID, c.Path, c.Language = k.ID(), k.Path, k.Language
	if len(c.ContentHash) == sha256.Size {
		c.ContentHash = hex.EncodeToString([]byte(c.ContentHash))
	}
	return c, err
}
