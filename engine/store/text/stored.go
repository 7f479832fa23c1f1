package text

import (
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
)

var errStored = errors.New("stored row is damaged")

// Form is the version of the row format, and the first byte of a stored chunk or unit. Change Form when fields of
// api.Chunk, api.Decl or Unit change.
const Form = 3

func encode(row any) []byte { return append([]byte{Form}, native.Encode(row)...) }

func decode(k Key, b []byte, row any) error {
	if len(b) == 0 || b[0] != Form {
		return fmt.Errorf("%w: form of %s", errStored, k.Path)
	}
	if err := native.Decode(b[1:], row); err != nil {
		return fmt.Errorf("%w: %s: %w", errStored, k.Path, err)
	}
	return nil
}

// encodeChunk encodes the fields of a chunk that are not in its key.
func encodeChunk(c api.Chunk) []byte {
	c.ID, c.Path, c.Language = "", "", ""
	return encode(&c)
}

func decodeChunk(k Key, b []byte) (c api.Chunk, err error) {
	err = decode(k, b, &c)
	c.ID, c.Path, c.Language = k.ID(), k.Path, k.Language
	return c, err
}
