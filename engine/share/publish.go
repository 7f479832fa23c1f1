package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/vector"
)

// Publication is what Publish makes a shared index of.
type Publication struct {
	Store   *store.Store
	Project string // name, for people
	// Progress is told of every file that was written. Optional.
	Progress func(files, of int)
}

// rowsAtOnce is how many vectors travel together: LanceDB makes a file on the storage of each addition.
const rowsAtOnce = 8192

// Publish writes an index to the storage. Readers see the publication before until all of it is there. ErrOvertaken means
// that somebody else published meanwhile; nothing has changed for readers then.
func Publish(ctx context.Context, at Location, p Publication) (Manifest, error) {
	b, err := newBucket(at)
	if err != nil {
		return Manifest{}, err
	}
	var before Manifest
	data, etag, err := b.get(ctx, manifestName, "", manifestLimit)
	switch {
	case err == nil:
		if before, err = parseManifest(data); err != nil {
			return Manifest{}, fmt.Errorf("read publication before: %w", err)
		}
	case !errors.Is(err, ErrNone):
		return Manifest{}, err
	}
	now := time.Now().UTC()
	m := Manifest{
		Format: format, Project: p.Project, Published: now.Truncate(time.Second), Chunker: p.Store.ChunkerVersion(), Model: p.Store.ModelHash(),
		Vectors: map[api.Corpus]int64{},
	}
	if m.Folder, err = b.write(ctx, p, &m, before, vectorsDir+now.Format("20060102T150405")+fmt.Sprintf("-%09d", now.Nanosecond())); err != nil {
		return Manifest{}, err
	}
	if data, err = json.MarshalIndent(m, "", "\t"); err != nil {
		return Manifest{}, fmt.Errorf("write manifest: %w", err)
	}
	if err := b.putManifest(ctx, append(data, '\n'), etag); err != nil {
		return Manifest{}, errors.Join(err, b.discard(ctx, m.Folder))
	}
	return m, b.sweep(ctx, m, before)
}

// write writes parts and vectors and fills the manifest. It returns the folder of the vectors, "" if there are none.
func (b *bucket) write(ctx context.Context, p Publication, m *Manifest, before Manifest, folder string) (string, error) {
	of := p.Store.Stats().Files
	w := partWriter{put: func(part Part, data []byte) error {
		// Only what the manifest names is sure to stay; other objects of that name are written again, which makes them young.
		if slices.ContainsFunc(before.Parts, func(old Part) bool { return old.SHA256 == part.SHA256 }) {
			return nil
		}
		return b.putPart(ctx, part, data)
	}}
	file := func(corpus api.Corpus, f store.FileChunks) error {
		m.Files++
		m.Chunks += len(f.Chunks)
		if p.Progress != nil {
			p.Progress(m.Files, of)
		}
		return w.add(corpus, f)
	}
	problem := p.Store.VectorProblem()
	if problem != nil {
		folder = ""
	}
	for _, corpus := range api.Corpora {
		if problem != nil {
			if err := p.Store.Export(ctx, corpus, func(f store.FileChunks, _ map[string]api.Vector) error { return file(corpus, f) }); err != nil {
				return "", err
			}
			continue
		}
		remote, err := b.remote(folder)
		if err != nil {
			return "", err
		}
		rows := int64(0)
		err = vector.CreateRemote(ctx, remote, store.TableName(corpus), func(t vector.Table) error {
			pending := make([]vector.Row, 0, rowsAtOnce)
			flush := func() error {
				err := t.Add(ctx, pending)
				rows += int64(len(pending))
				pending = pending[:0]
				return err
			}
			err := p.Store.Export(ctx, corpus, func(f store.FileChunks, vectors map[string]api.Vector) error {
				for _, c := range f.Chunks {
					if v, ok := vectors[c.ID]; ok {
						pending = append(pending, row(c, v))
					}
					if len(pending) == rowsAtOnce {
						if err := flush(); err != nil {
							return err
						}
					}
				}
				return file(corpus, f)
			})
			if err != nil {
				return err
			}
			return flush()
		})
		if err != nil {
			return "", errors.Join(fmt.Errorf("publish vectors: %w", err), b.discard(ctx, folder))
		}
		m.Vectors[corpus] = rows
	}
	if err := w.cut(); err != nil {
		return "", err
	}
	m.Parts = w.result
	return folder, nil
}

func row(c api.Chunk, v api.Vector) vector.Row {
	return vector.Row{
		ID: c.ID, Path: c.Path, Text: c.Text, Vector: v, StartLine: c.StartLine, EndLine: c.EndLine, ContentHash: c.ContentHash,
	}
}

// discard removes vectors that no manifest will name. The next publication does it as well.
func (b *bucket) discard(ctx context.Context, folder string) error {
	if folder == "" {
		return nil
	}
	return b.removeBelow(context.WithoutCancel(ctx), folder+"/", 0, func(string) bool { return false })
}

// sweepAge is how old an object must be before it is removed: longer than any publication takes, for what a running one has
// written is in no manifest yet. A variable for tests.
var sweepAge = 24 * time.Hour

// sweep removes what neither of two publications needs.
func (b *bucket) sweep(ctx context.Context, list ...Manifest) error {
	needed := map[string]bool{}
	for _, m := range list {
		for _, p := range m.Parts {
			needed[p.name()] = true
		}
		if m.Folder != "" {
			needed[m.Folder] = true
		}
	}
	if err := b.removeBelow(ctx, objectsDir, sweepAge, func(name string) bool { return needed[name] }); err != nil {
		return fmt.Errorf("remove parts of older publications: %w", err)
	}
	err := b.removeBelow(ctx, vectorsDir, sweepAge, func(name string) bool {
		folder := strings.SplitN(name, "/", 3)
		return len(folder) > 1 && needed[folder[0]+"/"+folder[1]]
	})
	if err != nil {
		return fmt.Errorf("remove vectors of older publications: %w", err)
	}
	return nil
}
