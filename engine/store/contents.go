package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// Content is one committed file as the two indexes hold it.
type Content struct {
	Path   string
	Corpus api.Corpus
	Hash   string // SHA-256 of the content, lower-case hex
	// Text and Vectors are the ids of its chunks in the text index and in the vector table, sorted; rows of other contents are left
	// out of Text, and of Vectors a path's rows as a whole if one is.
	Text, Vectors []string
}

// Contents reads back every committed file from the indexes themselves, sorted by path. Commits wait for it. Two stores that were built from
// the same files have the same contents, whatever happened to either on the way.
func (s *Store) Contents(ctx context.Context) ([]Content, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	var out []Content
	for _, name := range api.Corpora {
		list, err := s.corpusContents(ctx, s.corpora[name])
		if err != nil {
			return nil, s.typed(fmt.Errorf("read contents of %s corpus: %w", name, err), 0)
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b Content) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (s *Store) corpusContents(ctx context.Context, c *corpus) ([]Content, error) {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return nil, ErrClosed
	}
	defer s.gate.leave()
	ids := map[string][]string{}
	err := c.text.Keys(ctx, func(k text.Key) bool {
		if k.ID != "" && c.admits(k) {
			ids[k.Path] = append(ids[k.Path], k.ID)
		}
		return true
	})
	if err != nil {
		return nil, c.damage(PartText, err)
	}
	vectors := map[string][]string{}
	if c.vectorErr == nil {
		if vectors, err = c.vectorIDs(ctx); err != nil {
			return nil, c.damage(PartVectors, err)
		}
	}
	var out []Content
	for path, hash := range c.hashes() {
		one := Content{Path: path, Corpus: c.name, Hash: hash.String(), Text: ids[path]}
		slices.Sort(one.Text)
		if have := vectors[path]; have != nil {
			slices.Sort(have)
			one.Vectors = have
		}
		out = append(out, one)
	}
	return out, nil
}

// vectorIDs lists the ids of the vector rows of each path, but of those that have rows of other content, or one twice.
func (c *corpus) vectorIDs(ctx context.Context) (map[string][]string, error) {
	rows, err := c.scanVectors(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string][]string{}
	err = c.vectors.Keys(ctx, func(k vector.Key) bool {
		if r := rows[k.Path]; r != nil && !r.foreign {
			ids[k.Path] = append(ids[k.Path], k.ID)
		}
		return true
	})
	return ids, err
}
