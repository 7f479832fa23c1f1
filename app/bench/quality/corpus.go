package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/search/history"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// Index is the index of a project. It implements search.Reader.
type Index struct {
	Project Project
	rows    map[api.Corpus][]api.Chunk
	files   map[string]string // content by path
	byID    map[string]api.Chunk
	paths   map[api.Corpus][]string
	texts   map[api.Corpus]*text.Index
	vectors map[string]api.Vector // vectors of the embedding model, by chunk ID
	static  map[string]api.Vector // static vectors, by chunk ID
	table   *static.Table
	bleve   map[api.Corpus]*baseline
	history *history.Log // nil if the project has no log of commits
	dir     string       // temporary folder of the text indexes
}

// ErrLarge is returned by Open if a project has more than maxChunks chunks.
var ErrLarge = errors.New("the project has too many chunks")

// Open fetches and indexes a project. It returns ErrLarge if the project has more than maxChunks chunks; 0 means no
// limit. Vectors that are not cached are computed by e.
func Open(ctx context.Context, p Project, e *onnx.Embedder, maxChunks int) (x *Index, err error) {
	root, err := Fetch(ctx, p)
	if err != nil {
		return nil, err
	}
	x, err = indexed(ctx, root, p)
	if err != nil {
		return x, err
	}
	if maxChunks > 0 && len(x.byID) > maxChunks {
		return nil, errors.Join(fmt.Errorf("index %s: %w: %d", p.Name, ErrLarge, len(x.byID)), x.Close())
	}
	if err := x.embed(ctx, e); err != nil {
		return nil, errors.Join(fmt.Errorf("index %s: %w", p.Name, err), x.Close())
	}
	return x, nil
}

// indexed splits the project in root into chunks and builds its text indexes.
func indexed(ctx context.Context, root string, p Project) (x *Index, err error) {
	x = &Index{
		Project: p, rows: map[api.Corpus][]api.Chunk{}, files: map[string]string{}, byID: map[string]api.Chunk{},
		paths: map[api.Corpus][]string{}, texts: map[api.Corpus]*text.Index{}, vectors: map[string]api.Vector{},
		static: map[string]api.Vector{},
		bleve:  map[api.Corpus]*baseline{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("index %s: %w", p.Name, err), x.Close())
		}
	}()
	if err := x.read(ctx, root); err != nil {
		return x, err
	}
	if err := x.checkLabels(); err != nil {
		return x, err
	}
	if x.dir, err = os.MkdirTemp("", "search-quality-"); err != nil {
		return x, err
	}
	for _, corpus := range api.Corpora {
		t, err := text.Open(ctx, filepath.Join(x.dir, string(corpus)))
		if err != nil {
			return x, err
		}
		x.texts[corpus] = t
		if err := t.Apply(ctx, text.Change{Rows: x.rows[corpus]}); err != nil {
			return x, err
		}
	}
	if p.Logged {
		commits, err := logOf(root)
		if err != nil {
			return x, err
		}
		x.history = history.NewLog(commits[:min(len(commits), history.MaxCommits)])
	}
	return x, nil
}

// Close closes the index and removes its files.
func (x *Index) Close() error {
	var errs []error
	for _, b := range x.bleve {
		errs = append(errs, b.Close())
	}
	for _, t := range x.texts {
		errs = append(errs, t.Close())
	}
	if x.dir != "" {
		errs = append(errs, os.RemoveAll(x.dir))
	}
	return errors.Join(errs...)
}

// read splits every file that the product would index into chunks.
func (x *Index) read(ctx context.Context, root string) error {
	pol, err := policy.New(root, api.DefaultConfig())
	if err != nil {
		return err
	}
	cutter := chunk.New(chunk.NewTrees(treesitter.Parse))
	_, err = scan.Walk(ctx, pol, func(f scan.File) error {
		data, _, reason, err := pol.Read(f.Path)
		if err != nil || reason != api.SkipNone {
			return err
		}
		if x.Project.Logged && changelogName.MatchString(f.Path) {
			return nil // replaces the repository's commits and is not searched
		}
		chunks, _, err := cutter.Chunk(ctx, f.Path, f.Corpus, data, scan.Hash(data))
		if err != nil {
			return err
		}
		x.files[f.Path] = string(data)
		x.paths[f.Corpus] = append(x.paths[f.Corpus], f.Path)
		x.rows[f.Corpus] = append(x.rows[f.Corpus], chunks...)
		for _, c := range chunks {
			x.byID[c.ID] = c
		}
		return nil
	})
	for _, list := range x.paths {
		slices.Sort(list)
	}
	return err
}

// checkLabels returns an error if a file with an answer is not indexed or does not contain the answer's anchor.
func (x *Index) checkLabels() error {
	var errs []error
	for _, q := range x.Project.Questions {
		for _, t := range q.Answer {
			content, ok := x.files[t.Path]
			switch {
			case !ok:
				errs = append(errs, fmt.Errorf("question %q: %s is not indexed", q.Text, t.Path))
			case !strings.Contains(content, t.Anchor):
				errs = append(errs, fmt.Errorf("question %q: %s does not contain %q", q.Text, t.Path, t.Anchor))
			}
		}
	}
	return errors.Join(errs...)
}

// Corpus returns the corpus in which a question is asked.
func (q Question) Corpus() api.Corpus {
	if q.Kind == "docs" {
		return api.CorpusDocs
	}
	return api.CorpusCode
}

// Text implements search.Reader.
func (x *Index) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	return x.texts[corpus].Search(ctx, q, nil)
}

// Nearest implements search.Reader by comparing v with all vectors.
func (x *Index) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int, f store.Filter) ([]store.VectorHit,
	error) {
	hits := make([]store.VectorHit, 0, len(x.rows[corpus]))
	for _, c := range x.rows[corpus] {
		w, ok := x.vectors[c.ID]
		if f.Static {
			w = x.static[c.ID]
		}
		if !ok || f.Language != "" && f.Language != c.Language ||
			f.Paths != nil && !f.Paths(c.Path) {
			continue
		}
		hits = append(hits, store.VectorHit{ID: c.ID, Path: c.Path, ContentHash: c.ContentHash, StartLine: c.StartLine,
			EndLine: c.EndLine, Score: dot(&v, &w)})
	}
	slices.SortFunc(hits, func(a, b store.VectorHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score),
			cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(k, len(hits))], ctx.Err()
}

func dot(a, b *api.Vector) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}

// Chunks implements search.Reader.
func (x *Index) Chunks(ctx context.Context, _ api.Corpus, ids []string) (map[string]api.Chunk, error) {
	out := make(map[string]api.Chunk, len(ids))
	for _, id := range ids {
		if c, ok := x.byID[id]; ok {
			out[id] = c
		}
	}
	return out, ctx.Err()
}

// Paths implements search.Lister.
func (x *Index) Paths(corpus api.Corpus) []string { return x.paths[corpus] }
