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
	// Text and Vectors are the ids of its chunks in the text index and in the vector table, sorted. Rows of other
	// contents are left out; if one of a path's vector rows is, so are the others.
	Text, Vectors []string
}

// Contents reads every committed file back from the indexes, sorted by path. Commits wait for it. Two stores of the
// same files have the same contents, whatever their histories.
func (s *Store) Contents(ctx context.Context) ([]Content, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	var out []Content
	for _, name := range api.Corpora {
		list, err := s.corpusContents(ctx, s.corpora[name])
		if err != nil {
			return nil, s.apiError(fmt.Errorf("read contents of %s corpus: %w", name, err), 0)
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b Content) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (s *Store) corpusContents(ctx context.Context, c *corpus) ([]Content, error) {
	c.vectorWriter.Lock()
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return nil, ErrClosed
	}
	defer s.handles.runlock()
	ids := map[string][]string{}
	err := c.text.Keys(ctx, func(k text.Key) bool {
		if k.ID != "" && c.currentKey(k) {
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

// vectorIDs lists the ids of each path's vector rows, without paths that have rows of other content or one row twice.
func (c *corpus) vectorIDs(ctx context.Context) (map[string][]string, error) {
	rows, err := c.scanVectors(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string][]string{}
	err = c.vectors.Keys(ctx, func(k vector.Key) bool {
		if r := rows[k.Path]; r != nil && !r.mismatched {
			ids[k.Path] = append(ids[k.Path], k.ID)
		}
		return true
	})
	return ids, err
}
