package quality

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/index/embed/static"
	"searchmcp/packaging/command"
)

type inputHash = [sha256.Size]byte

// embed sets the vectors of all chunks. Vectors of known inputs are read from a cache file of the project and model.
func (x *Index) embed(ctx context.Context, e *onnx.Embedder) error {
	cache, err := Cache()
	if err != nil {
		return err
	}
	hash, err := embed.ModelHash()
	if err != nil {
		return err
	}
	name := filepath.Join(cache, "vectors", fmt.Sprintf("%s-%s.bin", x.Project.Family(), hash[:16]))
	known, err := loadVectors(name)
	if err != nil {
		return err
	}
	inputs := map[inputHash]string{}
	hashes := map[string]inputHash{}
	for _, list := range x.rows {
		for _, c := range list {
			input := embed.Input(c)
			h := sha256.Sum256([]byte(input))
			hashes[c.ID] = h
			if _, ok := known[h]; !ok {
				inputs[h] = input
			}
		}
	}
	if len(inputs) > 0 {
		order := make([]inputHash, 0, len(inputs))
		texts := make([]string, 0, len(inputs))
		for h, s := range inputs {
			order, texts = append(order, h), append(texts, s)
		}
		if err := e.Texts(ctx, texts, func(i int, v api.Vector) { known[order[i]] = v }); err != nil {
			return err
		}
		if err := saveVectors(name, known); err != nil {
			return err
		}
	}
	for id, h := range hashes {
		x.vectors[id] = known[h]
	}
	if x.table, err = static.Bundled(); err != nil {
		return err
	}
	for _, list := range x.rows {
		for _, c := range list {
			x.static[c.ID] = x.table.Chunk(c)
		}
	}
	return nil
}

type vectorRecord struct {
	Hash   inputHash
	Vector api.Vector
}

func loadVectors(name string) (map[inputHash]api.Vector, error) {
	known := map[inputHash]api.Vector{}
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read cached vectors: %w", err)
	}
	records := make([]vectorRecord, len(raw)/binary.Size(vectorRecord{}))
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, records); err != nil {
		return nil, fmt.Errorf("read cached vectors: %w", err)
	}
	for _, r := range records {
		known[r.Hash] = r.Vector
	}
	return known, nil
}

func saveVectors(name string, known map[inputHash]api.Vector) error {
	records := make([]vectorRecord, 0, len(known))
	for h, v := range known {
		records = append(records, vectorRecord{h, v})
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, records); err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return command.Write(name, b.Bytes())
}
