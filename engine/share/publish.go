package share

import (
	"context"
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
	Tables  *vector.DB
	Store   *store.Store
	Project string // name, for people
	// Progress is told what has been done of what, at least once for each file and each few thousand vectors. Optional.
	Progress func(stage api.PublishStage, done, of int)
}

// Published says what came of a publication.
type Published struct {
	Manifest
	Unchanged bool  // the publication before says the same and stays
	Parts     int   // objects with texts that were sent
	Rows      int64 // vectors that were sent
	// Anew is why the vectors were all sent although there was a publication to build on; nil otherwise.
	Anew error
}

// Publish writes an index to the storage: what has changed since the publication there. Readers see that one until all
// of this one is there. ErrOvertaken means that somebody else published meanwhile; nothing has changed for readers
// then.
func Publish(ctx context.Context, at Location, p Publication) (Published, error) {
	there, err := newPlace(at)
	if err != nil {
		return Published{}, err
	}
	before, etag, _, err := there.manifest(ctx, "")
	if err != nil && !errors.Is(err, ErrNone) {
		return Published{}, fmt.Errorf("read publication before: %w", err)
	}
	now := time.Now().UTC()
	w := &publisher{place: there, Publication: p, before: before}
	w.folder = vectorsDir + now.Format("20060102T150405") + fmt.Sprintf("-%09d", now.Nanosecond())
	w.result.Manifest = Manifest{
		Format: format, Project: p.Project, Published: now.Truncate(time.Second), Chunker: p.Store.ChunkerVersion(),
		Model:   p.Store.ModelHash(),
		Vectors: map[api.Corpus]int64{},
	}
	if err := w.write(ctx); err != nil {
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

// publisher writes one publication.
type publisher struct {
	*place
	Publication
	before Manifest // the zero value for none
	folder string   // for vectors that differ from those before
	begun  bool     // something may be in folder
	result Published
}

// write writes texts, then vectors, and fills the manifest.
func (w *publisher) write(ctx context.Context) error {
	files, err := w.texts(ctx)
	if err != nil {
		return err
	}
	if w.Store.VectorProblem() != nil {
		return nil
	}
	return w.vectors(ctx, files)
}

// file is what the vectors of a file are known by: with the same chunker and model, the same content has the same ones.
type file struct {
	hash string // of the content
	rows int    // chunks that have a vector
}

// texts sends the parts that the publication before does not have. It returns the files by path.
func (w *publisher) texts(ctx context.Context) (map[api.Corpus]map[string]file, error) {
	of := w.Store.Stats().Files
	m := &w.result.Manifest
	parts := partWriter{put: func(part Part, data []byte) error {
		// Only what the manifest names is sure to stay; other objects of that name are written again, which makes them young.
		if slices.ContainsFunc(w.before.Parts, func(old Part) bool { return old.SHA256 == part.SHA256 }) {
			return nil
		}
		w.result.Parts++
		return w.putPart(ctx, part, data)
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
			w.tell(api.PublishTexts, m.Files, max(of, m.Files))
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

func (w *publisher) tell(stage api.PublishStage, done, of int) {
	if w.Progress != nil {
		w.Progress(stage, done, of)
	}
}

// discard removes vectors that no manifest will name. If it fails, a publication of another day does it.
func (w *publisher) discard(ctx context.Context) error {
	if !w.begun {
		return nil
	}
	return w.removeBelow(context.WithoutCancel(ctx), w.folder+"/", 0, func(string) bool { return false })
}

// sweepAge is how old an object must be before it is removed: longer than any publication takes, for what a running one
// has written is in no manifest yet. A variable for tests.
var sweepAge = 24 * time.Hour

// sweep removes what neither of two publications needs.
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
