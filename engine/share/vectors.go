package share

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/vector"
)

const (
	// uploadBatch is the number of rows that are added at a time. Each addition creates a file on the storage.
	uploadBatch = 8192
	// maxIncrements is the maximum number of publications that upload only changed vectors. Each adds small files that
	// readers must open.
	maxIncrements = 50
	// maxChurn is the fraction of changed rows at which all rows are written again. Removed rows remain in LanceDB's
	// files.
	maxChurn = 0.5
)

type change struct {
	remove []string
	add    []string
	rows   int // approximate number of rows to add
	kept   int
}

func (w *publisher) vectors(ctx context.Context, files map[api.Corpus]map[string]file) error {
	if w.comparable() {
		done, err := w.buildOn(ctx, files)
		if done || ctx.Err() != nil {
			return err
		}
		w.result.Anew = err
		if err := w.discard(ctx); err != nil {
			return err
		}
	}
	m := &w.result.Manifest
	m.Folder, m.BuiltOn, m.Churn, m.Vectors, w.result.Rows = w.folder, 0, 0, map[api.Corpus]int64{}, 0
	changes := map[api.Corpus]change{}
	for corpus, list := range files {
		c := change{add: slices.Sorted(maps.Keys(list))}
		for _, f := range list {
			c.rows += f.rows
		}
		changes[corpus] = c
	}
	w.started = true
	return w.apply(ctx, changes, w.Tables.CreateRemote)
}

func (w *publisher) comparable() bool {
	b, m := &w.before, &w.result.Manifest
	return b.Folder != "" && b.rows() > 0 && b.Chunker == m.Chunker && b.Model == m.Model
}

func (m *Manifest) needsRewrite() bool {
	return m.BuiltOn >= maxIncrements || float64(m.Churn) > maxChurn*float64(m.rows())
}

func (m *Manifest) rows() (n int64) {
	for _, rows := range m.Vectors {
		n += rows
	}
	return n
}

// buildOn reuses the vector tables of the previous publication. done is false if all rows must be written again.
func (w *publisher) buildOn(ctx context.Context, files map[api.Corpus]map[string]file) (done bool, err error) {
	changes := map[api.Corpus]change{}
	for _, corpus := range api.Corpora {
		c, err := w.compare(ctx, corpus, files[corpus])
		if err != nil {
			return false, err
		}
		if len(c.remove)+len(c.add) > 0 {
			changes[corpus] = c
		}
	}
	m := &w.result.Manifest
	m.Folder, m.BuiltOn, m.Churn, m.Vectors = w.before.Folder, w.before.BuiltOn, w.before.Churn,
		maps.Clone(w.before.Vectors)
	if len(changes) == 0 {
		return true, nil
	}
	if m.needsRewrite() {
		return false, nil
	}
	w.started = true
	if err := w.copyBelow(ctx, w.before.Folder, w.folder); err != nil {
		return false, fmt.Errorf("copy vectors of the previous publication: %w", err)
	}
	m.Folder = w.folder
	m.BuiltOn++
	if err := w.apply(ctx, changes, w.Tables.ChangeRemote); err != nil {
		return false, err
	}
	for corpus, c := range changes {
		m.Churn += w.before.Vectors[corpus] - int64(c.kept)
	}
	m.Churn += w.result.Rows
	return true, nil
}

func (w *publisher) compare(ctx context.Context, corpus api.Corpus, files map[string]file) (change, error) {
	remote, err := w.remote(w.before.Folder)
	if err != nil {
		return change{}, err
	}
	there, total := map[string]file{}, 0
	err = w.Tables.RemoteKeys(ctx, remote, store.TableName(corpus), func(k vector.Key) bool {
		f, known := there[k.Path]
		if known && f.hash != k.ContentHash {
			k.ContentHash = "" // a file whose rows have different hashes is uploaded again
		}
		there[k.Path] = file{k.ContentHash, f.rows + 1}
		total++
		return true
	})
	if err != nil {
		return change{}, fmt.Errorf("read keys of the previous vectors: %w", err)
	}
	if int64(total) != w.before.Vectors[corpus] {
		return change{}, fmt.Errorf("%w: %d vectors of %s, not %d", ErrDamaged, total, corpus, w.before.Vectors[corpus])
	}
	var c change
	for path, f := range files {
		old := there[path]
		switch {
		case old == f || old.rows == 0 && f.rows == 0:
			c.kept += f.rows
			continue
		case f.rows > 0:
			c.add = append(c.add, path)
			c.rows += f.rows
		}
		if old.rows > 0 {
			c.remove = append(c.remove, path)
		}
	}
	for path := range there {
		if _, still := files[path]; !still {
			c.remove = append(c.remove, path)
		}
	}
	slices.Sort(c.add)
	slices.Sort(c.remove)
	return c, nil
}

func (w *publisher) apply(ctx context.Context, changes map[api.Corpus]change,
	open func(context.Context, vector.Remote, string, func(*vector.Table) error) error) error {
	of := 0
	for _, c := range changes {
		of += c.rows
	}
	for _, corpus := range api.Corpora {
		c, changed := changes[corpus]
		if !changed {
			continue
		}
		remote, err := w.remote(w.folder)
		if err != nil {
			return err
		}
		err = open(ctx, remote, store.TableName(corpus), func(t *vector.Table) error {
			if err := t.DeletePaths(ctx, c.remove); err != nil {
				return err
			}
			added, err := w.send(ctx, corpus, c.add, t, of)
			if err != nil {
				return err
			}
			now, err := t.Count(ctx)
			if err == nil && now != c.kept+added {
				err = fmt.Errorf("%w: %d vectors of %s after the change, not %d", ErrDamaged, now, corpus, c.kept+added)
			}
			w.result.Vectors[corpus] = int64(now)
			return err
		})
		if err != nil {
			return fmt.Errorf("publish vectors: %w", err)
		}
	}
	return nil
}

func (w *publisher) send(ctx context.Context, corpus api.Corpus, paths []string, t *vector.Table, of int) (added int,
	err error) {
	pending := make([]vector.Row, 0, uploadBatch)
	flush := func() error {
		err := t.Add(ctx, pending)
		added += len(pending)
		w.result.Rows += int64(len(pending))
		pending = pending[:0]
		w.Progress(api.PublishVectors, int(w.result.Rows), max(of, int(w.result.Rows)))
		return err
	}
	err = w.Store.ExportVectors(ctx, corpus, paths, func(f store.FileChunks, vectors map[string]api.Vector) error {
		for _, c := range f.Chunks {
			if v, ok := vectors[c.ID]; ok {
				pending = append(pending, vector.RowOf(&c, v))
			}
			if len(pending) == uploadBatch {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return added, err
	}
	return added, flush()
}
