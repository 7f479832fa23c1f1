package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/share/bucket"
	"searchmcp/engine/store"
	"searchmcp/engine/store/vector"
)

type Publication struct {
	Tables  *vector.DB
	Store   *store.Store
	Project string
	// Progress, if not nil, is called after each file and after every few thousand vectors.
	Progress func(stage api.PublishStage, done, total int)
}

type Published struct {
	Manifest
	Unchanged bool // nothing was published, because nothing has changed
	Rows      int64
	Anew      error
}

func Publish(ctx context.Context, at Location, p Publication) (Published, error) {
	there, err := newPlace(at)
	if err != nil {
		return Published{}, err
	}
	before, etag, _, err := there.manifest(ctx, "")
	if err != nil && !errors.Is(err, ErrNone) {
		return Published{}, fmt.Errorf("read previous publication: %w", err)
	}
	now := time.Now().UTC()
	if p.Progress == nil {
		p.Progress = func(api.PublishStage, int, int) {}
	}
	w := &publisher{place: there, Publication: p, before: before}
	w.folder = vectorsDir + now.Format("20060102T150405") + fmt.Sprintf("-%09d", now.Nanosecond())
	w.result.Manifest = Manifest{
		Format: format, Project: p.Project, Published: now.Truncate(time.Second), Chunker: p.Store.ChunkerVersion(),
		Model:   p.Store.ModelHash(),
		Vectors: map[api.Corpus]int64{},
	}
	files, err := w.texts(ctx)
	if err == nil && p.Store.VectorProblem() == nil {
		err = w.vectors(ctx, files)
	}
	if err != nil {
		return Published{}, errors.Join(err, w.discard(ctx))
	}
	if w.result.same(before) {
		w.result.Manifest, w.result.Unchanged = before, true
		return w.result, nil
	}
	if err := there.putManifest(ctx, w.result.Manifest, etag); err != nil {
		return Published{}, errors.Join(err, w.discard(ctx))
	}
	return w.result, there.sweep(ctx, w.result.Manifest, before)
}

type publisher struct {
	*place
	Publication
	before  Manifest // the previous manifest, or the zero Manifest
	folder  string   // new folder on the storage, for changed vectors
	started bool     // the upload to folder has begun
	result  Published
}

// file describes the vectors of a file. Files with equal content have equal vectors.
type file struct {
	hash string
	rows int
}

func (w *publisher) texts(ctx context.Context) (map[api.Corpus]map[string]file, error) {
	of := w.Store.Stats().Files
	m := &w.result.Manifest
	parts := partWriter{put: func(part Part, data []byte) error {
		// Another publisher may delete a part that no manifest lists, so upload such a part even if it exists.
		if slices.ContainsFunc(w.before.Parts, func(old Part) bool { return old.SHA256 == part.SHA256 }) {
			return nil
		}
		return w.bucket.Put(ctx, w.at.key(part.name()), "application/zstd", data, bucket.Unconditional)
	}}
	all := map[api.Corpus]map[string]file{}
	for _, corpus := range api.Corpora {
		all[corpus] = map[string]file{}
		err := w.Store.Export(ctx, corpus, func(f store.Exported) error {
			all[corpus][f.Path] = file{f.Hash, f.Vectors}
			if m.Files++; m.Files > maxFiles {
				return api.New(api.FileLimitWarning, fmt.Sprintf("An index of more than %d files can't be shared.", maxFiles),
					"too many files for a shared index", nil)
			}
			m.Chunks += len(f.Chunks)
			w.Progress(api.PublishTexts, m.Files, max(of, m.Files))
			return parts.add(corpus, f.FileChunks)
		})
		if err != nil {
			return nil, err
		}
	}
	if err := parts.cut(); err != nil {
		return nil, err
	}
	m.Parts = parts.result
	return all, nil
}

func (w *publisher) discard(ctx context.Context) error {
	if !w.started {
		return nil
	}
	return w.removeBelow(context.WithoutCancel(ctx), w.folder+"/", 0, func(string) bool { return false })
}

// sweepAge is the age at which an object that no manifest lists is deleted. A publication takes less time.
var sweepAge = 24 * time.Hour

func (p *place) sweep(ctx context.Context, list ...Manifest) error {
	needed := map[string]bool{}
	for _, m := range list {
		for _, part := range m.Parts {
			needed[part.name()] = true
		}
		if m.Folder != "" {
			needed[m.Folder] = true
		}
	}
	if err := p.removeBelow(ctx, objectsDir, sweepAge, func(name string) bool { return needed[name] }); err != nil {
		return fmt.Errorf("remove parts of older publications: %w", err)
	}
	err := p.removeBelow(ctx, vectorsDir, sweepAge, func(name string) bool {
		folder := strings.SplitN(name, "/", 3)
		return len(folder) > 1 && needed[folder[0]+"/"+folder[1]]
	})
	if err != nil {
		return fmt.Errorf("remove vectors of older publications: %w", err)
	}
	return nil
}
