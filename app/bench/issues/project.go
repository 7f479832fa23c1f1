package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/app/endpoint/tools"
	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/index/embed/static"
	"searchmcp/engine/search"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// project is the index of a repository at one commit. It implements search.Reader.
type project struct {
	repo    string
	chunks  map[string][]api.Chunk // by blob and path; cached on disk
	grown   bool                   // the caches on disk are out of date
	current map[string]string      // blob of each path
	words   *text.Index            // text index in dir
	dir     string
	byID    map[string]api.Chunk
	vectors map[string]api.Vector // vectors of the embedding model by chunk ID
	statics map[string]api.Vector // static vectors by chunk ID
	table   *static.Table
	model   *onnx.Embedder
	known   map[[32]byte]api.Vector // vectors of the embedding model by hash of the input; cached on disk
}

func mirror(repo string) string {
	return filepath.Join(*repos, strings.ReplaceAll(repo, "/", "+"), "repo")
}

func git(repo string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", mirror(repo)}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w", args[0], repo, err)
	}
	return string(out), nil
}

func (p *project) file(kind string) string {
	return filepath.Join(*cached, strings.ReplaceAll(p.repo, "/", "+")+"-"+kind+"-"+chunk.Version)
}

func open(ctx context.Context, repo string) (*project, error) {
	p := &project{repo: repo, chunks: map[string][]api.Chunk{}, current: map[string]string{},
		byID: map[string]api.Chunk{}, vectors: map[string]api.Vector{}, statics: map[string]api.Vector{},
		known: map[[32]byte]api.Vector{}}
	err := errors.Join(read(p.file("chunks"), &p.chunks))
	if err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "search-issues-"); err != nil {
		return nil, fmt.Errorf("create index: %w", err)
	}
	if p.words, err = text.Open(ctx, p.dir); err != nil {
		return nil, err
	}
	if p.table, err = static.Bundled(); err != nil {
		return nil, err
	}
	if *useOnnx {
		if err := read(p.file("vectors"), &p.known); err != nil {
			return nil, err
		}
		if p.model, err = onnx.Open(ctx, onnx.Options{Log: slog.New(slog.DiscardHandler)}); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *project) close() {
	_ = p.words.Close() // its folder is removed
	_ = os.RemoveAll(p.dir)
	if p.model != nil {
		_ = p.model.Close() // nothing to flush
	}
	if p.grown {
		if err := errors.Join(write(p.file("chunks"), p.chunks), write(p.file("vectors"), p.known)); err != nil {
			slog.Warn("cannot write cache", "err", err)
		}
	}
}

func read(name string, v any) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read cache: %w", err)
	}
	defer f.Close()
	return gob.NewDecoder(bufio.NewReaderSize(f, 1<<20)).Decode(v)
}

func write(name string, v any) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	return os.WriteFile(name, b.Bytes(), 0o600)
}

// checkout updates the index to a commit.
func (p *project) checkout(ctx context.Context, commit string) error {
	out, err := git(p.repo, "ls-tree", "-r", "-z", "-l", commit)
	if err != nil {
		return err
	}
	next := map[string]string{}
	for entry := range strings.SplitSeq(out, "\x00") {
		meta, name, ok := strings.Cut(entry, "\t")
		f := strings.Fields(meta)
		if !ok || f[1] != "blob" || f[0] == "120000" || !indexed(name) {
			continue
		}
		var size int
		if _, err := fmt.Sscan(f[3], &size); err == nil && size > 0 && size <= 1<<20 {
			next[name] = f[2]
		}
	}
	if err := p.fill(ctx, next); err != nil {
		return err
	}
	var replaced []string
	var change text.Change
	for name, blob := range p.current {
		if next[name] != blob {
			replaced = append(replaced, name)
			for _, c := range p.chunks[blob+name] {
				delete(p.byID, c.ID)
			}
		}
	}
	for name, blob := range next {
		if p.current[name] != blob {
			rows := p.chunks[blob+name]
			change.Rows = append(change.Rows, rows...)
			for _, c := range rows {
				p.byID[c.ID] = c
			}
		}
	}
	p.current = next
	if change.Delete, err = p.words.KeysOf(ctx, replaced); err != nil {
		return err
	}
	if err := p.words.Apply(ctx, change); err != nil {
		return err
	}
	return p.embed(ctx)
}

// indexed reports whether a path is indexed. Documents and the folders that RFC 5.2 excludes are not.
func indexed(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains(leftOut, part) {
			return false
		}
	}
	ext := strings.ToLower(path.Ext(name))
	return !slices.Contains(notText, ext) && ext != ".md" && (ext != ".txt" || path.Base(name) == "CMakeLists.txt") &&
		!strings.HasSuffix(name, ".min.js")
}

var (
	leftOut = strings.Fields("node_modules .git dist build out target vendor __pycache__ .idea .vscode bin obj coverage " +
		".gradle .next .cache")
	notText = strings.Fields(".png .jpg .gif .ico .zip .gz .jar .woff .woff2 .ttf .pdf .svg .map .snap .lock")
)

// fill splits files whose chunks are not cached into chunks.
func (p *project) fill(ctx context.Context, files map[string]string) error {
	var missing [][2]string
	for name, blob := range files {
		if _, ok := p.chunks[blob+name]; !ok {
			missing = append(missing, [2]string{blob, name})
		}
	}
	if len(missing) == 0 {
		return nil
	}
	p.grown = true
	cmd := exec.CommandContext(ctx, "git", "-C", mirror(p.repo), "cat-file", "--batch")
	var names strings.Builder
	for _, m := range missing {
		fmt.Fprintln(&names, m[0])
	}
	cmd.Stdin = strings.NewReader(names.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	cutter := chunk.New(chunk.NewTrees(treesitter.Parse))
	r := bufio.NewReaderSize(out, 1<<20)
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, m := range missing {
		var name, kind string
		var size int
		if _, err := fmt.Fscanln(r, &name, &kind, &size); err != nil {
			return fmt.Errorf("read blobs: %w", err)
		}
		data := make([]byte, size+1)
		if _, err := io.ReadFull(r, data); err != nil {
			return fmt.Errorf("read blobs: %w", err)
		}
		data = data[:size]
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			var rows []api.Chunk
			if !bytes.Contains(data[:min(size, 8000)], []byte{0}) {
				h := sha256.Sum256(data)
				rows, _, _ = cutter.Chunk(ctx, m[1], api.CorpusCode, data, hex.EncodeToString(h[:]))
			}
			mu.Lock()
			p.chunks[m[0]+m[1]] = rows
			mu.Unlock()
		})
	}
	wg.Wait()
	return cmd.Wait()
}

func (p *project) embed(ctx context.Context) error {
	var ids, inputs []string
	for id, c := range p.byID {
		if _, ok := p.statics[id]; !ok && !*lexical {
			p.statics[id] = p.table.Chunk(c)
		}
		if _, ok := p.vectors[id]; ok || p.model == nil {
			continue
		}
		input := embed.Input(c)
		if v, ok := p.known[sha256.Sum256([]byte(input))]; ok {
			p.vectors[id] = v
			continue
		}
		ids, inputs = append(ids, id), append(inputs, input)
	}
	if len(inputs) == 0 {
		return nil
	}
	p.grown = true
	return p.model.Texts(ctx, inputs, func(i int, v api.Vector) {
		p.vectors[ids[i]], p.known[sha256.Sum256([]byte(inputs[i]))] = v, v
	})
}

type reply struct {
	places []api.Lines // of the hits, best first
	named  []api.Lines // all ranges in the answer
	tokens int
	score  float64 // of the first hit
	took   time.Duration
	print  []string // lines for -v
}

const printed = api.DefaultTopK

// ask searches twice: for MaxTopK hits, whose ranking is measured, and for the default number of hits in an answer.
func (p *project) ask(ctx context.Context, query string, m method) (reply, error) {
	query = query[:min(len(query), api.MaxQuery)]
	q := api.Query{Text: query, Corpus: api.CorpusCode, TopK: api.MaxTopK}
	began := time.Now()
	ranked, err := search.Rank(ctx, p, p.request(q, m))
	if err != nil {
		return reply{}, err
	}
	all := ranked.Results(true)
	a := reply{took: time.Since(began)}
	for _, h := range all.Hits {
		a.places = append(a.places, api.Lines{Path: h.Path, StartLine: h.Excerpt.Start, EndLine: h.Excerpt.End})
		a.print = append(a.print, fmt.Sprintf("%.2f %s:%d-%d %s", h.Score, h.Path, h.Excerpt.Start, h.Excerpt.End, h.Excerpt.Line))
	}
	q.TopK = printed
	ranked, err = search.Rank(ctx, p, p.request(q, m))
	if err != nil {
		return reply{}, err
	}
	shown := ranked.Results(true)
	answer.Shape(&shown, q)
	for _, h := range shown.Hits {
		a.named = append(a.named, api.Lines{Path: h.Path, StartLine: h.StartLine, EndLine: h.EndLine})
	}
	if len(shown.Hits) > 0 {
		a.score = shown.Hits[0].Score
	}
	for _, m := range shown.More {
		a.named = append(a.named, m.Lines)
	}
	b, err := tools.SearchAnswer(shown, q)
	a.tokens = len(b) / 4
	return a, err
}

func (p *project) request(q api.Query, m method) search.Request {
	req := search.Request{Query: q, Log: slog.Default(), Allowed: func(string) bool { return true }}
	switch m {
	case byWords:
	case byModel:
		req.Coverage, req.Embedder = 1, p.model
	case byQuick:
		req.StaticCoverage, req.Light, req.Static = 1, true, p.table.Question
	}
	return req
}

// Text implements search.Reader.
func (p *project) Text(ctx context.Context, _ api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	return p.words.Search(ctx, q, nil)
}

// Chunks implements search.Reader.
func (p *project) Chunks(_ context.Context, _ api.Corpus, ids []string) (map[string]api.Chunk, error) {
	out := map[string]api.Chunk{}
	for _, id := range ids {
		if c, ok := p.byID[id]; ok {
			out[id] = c
		}
	}
	return out, nil
}

// Nearest implements search.Reader by comparing v with all vectors.
func (p *project) Nearest(_ context.Context, _ api.Corpus, v api.Vector, k int, f store.Filter) ([]store.VectorHit, error) {
	vectors := p.vectors
	if f.Static {
		vectors = p.statics
	}
	var all []store.VectorHit
	for id, c := range p.byID {
		if f.Paths != nil && !f.Paths(c.Path) {
			continue
		}
		w, sum := vectors[id], float32(0)
		for i := range v {
			sum += v[i] * w[i]
		}
		if !math.IsNaN(float64(sum)) {
			all = append(all, store.VectorHit{ID: id, Path: c.Path, ContentHash: c.ContentHash, StartLine: c.StartLine,
				EndLine: c.EndLine, Score: float64(sum)})
		}
	}
	slices.SortFunc(all, func(a, b store.VectorHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), k)], nil
}
