package share

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/share/part"
	"searchmcp/engine/store"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

type Copy struct {
	dir    string
	at     Location
	model  string // hash of the local embedding model, or ""
	tables *vector.DB
	read   ReadPart
	log    *slog.Logger

	refreshing sync.Mutex       // locked during Refresh; guards the next three fields
	refused    string           // ETag of an invalid manifest, which is not fetched again
	reason     error            // why the manifest is invalid
	badParts   map[string]error // errors of damaged parts, which are not fetched again, by hash

	mu      sync.Mutex // guards the fields below
	current *publication
	checked time.Time
	problem error
	closed  bool
}

type ReadPart func(ctx context.Context, data []byte) ([]part.File, error)

type publication struct {
	number   int // number of the publication, and name of its folder
	manifest Manifest
	etag     string
	store    *store.Store
	vectors  map[api.Corpus]*vector.Table // nil if the vectors can't be searched
	note     string                       // why vectors is nil, for the user
}

type State struct {
	api.SharedIndex
	Project  string // the project's name, set by the publisher
	DocFiles int
	Err      error // error of the last Refresh
}

// stateName is the file that marks a complete copy of a shared index.
const stateName = "publication.json"

type stored struct {
	Location string   `json:"location"`
	ETag     string   `json:"etag"`
	Manifest Manifest `json:"manifest"`
}

// Open opens the local copy of a shared index in dir, which may be empty. It doesn't connect to the storage.
func Open(
	ctx context.Context, dir string, at Location, model string, tables *vector.DB, read ReadPart, log *slog.Logger,
) (*Copy, error) {
	c := &Copy{dir: dir, at: at, model: model, tables: tables, read: read, log: log,
		badParts: map[string]error{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of shared index: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open shared index: %w", err)
	}
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		var kept stored
		if err == nil {
			err = files.ReadJSON(filepath.Join(dir, e.Name(), stateName), &kept)
		}
		if err == nil && kept.Location == at.String() && (c.current == nil || n > c.current.number) {
			var p *publication
			if p, err = c.open(ctx, n, kept); err == nil {
				err = c.replace(p)
			}
		} else if err == nil {
			err = errors.New("older, or of another location")
		}
		if err != nil {
			// The copy is incomplete or outdated. The next Refresh fetches the publication again.
			log.Info("copy of a shared index removed", "folder", e.Name(), "why", err)
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return nil, errors.Join(fmt.Errorf("remove remains of shared index: %w", err), c.Close())
			}
		}
	}
	return c, nil
}

func (c *Copy) folder(number int) string { return filepath.Join(c.dir, strconv.Itoa(number)) }

func (c *Copy) open(ctx context.Context, number int, kept stored) (*publication, error) {
	st, err := c.openStore(ctx, number)
	if err != nil {
		return nil, err
	}
	p := &publication{number: number, manifest: kept.Manifest, etag: kept.ETag, store: st}
	if err := c.openVectors(ctx, p); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (c *Copy) openStore(ctx context.Context, number int) (*store.Store, error) {
	st, err := store.Open(ctx, filepath.Join(c.folder(number), "index"), store.Options{NoVectors: true, Log: c.log})
	if err != nil {
		return nil, fmt.Errorf("open texts of shared index: %w", err)
	}
	return st, nil
}

func (c *Copy) openVectors(ctx context.Context, p *publication) error {
	switch {
	case p.manifest.Folder == "":
		p.note = "it was published without vectors, so it is searched by words only"
		return nil
	case p.manifest.Model != c.model:
		p.note = "its vectors come from a different model, so it is searched by words only"
		return nil
	}
	there, err := newPlace(c.at)
	if err != nil {
		return err
	}
	remote, err := there.remote(p.manifest.Folder)
	if err != nil {
		return err
	}
	p.vectors = map[api.Corpus]*vector.Table{}
	for _, corpus := range api.Corpora {
		rows := int(p.manifest.Vectors[corpus])
		if rows == 0 {
			continue
		}
		t, err := c.tables.OpenRemote(ctx, remote, store.TableName(corpus), rows,
			filepath.Join(c.folder(p.number), string(corpus)+".sketch"))
		if errors.Is(err, vector.ErrCPU) || errors.Is(err, vector.ErrNoNative) {
			p.note = "this computer can't use its vectors, so it is searched by words only"
			return nil
		}
		if err != nil {
			return err
		}
		p.vectors[corpus] = t
	}
	return nil
}

func (p *publication) close() error {
	var errs []error
	for _, t := range p.vectors {
		errs = append(errs, t.Close())
	}
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	return errors.Join(errs...)
}

func (c *Copy) replace(p *publication) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errors.Join(store.ErrClosed, p.close())
	}
	old := c.current
	c.current = p
	c.mu.Unlock()
	if old == nil {
		return nil
	}
	if err := errors.Join(old.close(), os.RemoveAll(c.folder(old.number))); err != nil {
		return fmt.Errorf("remove older copy of shared index: %w", err)
	}
	return nil
}

// Refresh fetches a newer publication and missing vectors. changed is true if the publication is new. After an error,
// searches use the previous publication.
func (c *Copy) Refresh(ctx context.Context) (changed bool, err error) {
	c.refreshing.Lock()
	defer c.refreshing.Unlock()
	changed, err = c.refresh(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problem = err
	if err == nil {
		c.checked = time.Now()
	}
	return changed, err
}

func (c *Copy) refresh(ctx context.Context) (changed bool, err error) {
	there, err := newPlace(c.at)
	if err != nil {
		return false, err
	}
	now := c.now()
	etag, number := "", 1
	if now != nil {
		etag, number = now.etag, now.number+1
	}
	m, etag, changed, err := there.manifest(ctx, cmp.Or(c.refused, etag))
	if errors.Is(err, ErrDamaged) {
		c.refused, c.reason = etag, err
	}
	if err != nil {
		return false, err
	}
	if !changed && c.refused != "" {
		return false, c.reason
	}
	if changed {
		now, err = c.fetch(ctx, there, number, stored{Location: c.at.String(), ETag: etag, Manifest: m})
		if c.refused = ""; errors.Is(err, errRefused) {
			c.refused, c.reason = etag, err
		}
		if err != nil {
			return false, errors.Join(err, os.RemoveAll(c.folder(number)))
		}
		if err := c.replace(now); err != nil {
			return false, err
		}
	}
	for corpus, t := range now.vectors {
		if err := t.Fetch(ctx); err != nil {
			return changed, fmt.Errorf("fetch vectors of %s: %w", corpus, err)
		}
	}
	return changed, nil
}

// Check returns an error if the storage at location has no shared index in a known format.
func Check(ctx context.Context, location Location) error {
	there, err := newPlace(location)
	if err != nil {
		return err
	}
	_, _, _, err = there.manifest(ctx, "")
	return err
}

func (c *Copy) fetch(ctx context.Context, there *place, number int, s stored) (p *publication, err error) {
	if err := os.RemoveAll(c.folder(number)); err != nil {
		return nil, fmt.Errorf("remove unfinished copy of shared index: %w", err)
	}
	if err := os.MkdirAll(c.folder(number), 0o700); err != nil {
		return nil, fmt.Errorf("make copy of shared index: %w", err)
	}
	// Without a bound, committing a part with many different words takes 350 MB.
	defer memory.LimitGrowth(growth)()
	st, err := c.openStore(ctx, number)
	if err != nil {
		return nil, err
	}
	err = c.fill(ctx, there, st, s.Manifest)
	if err == nil && st.Stats().Files != s.Manifest.Files {
		err = fmt.Errorf("%w: %d files, not %d", errRefused, st.Stats().Files, s.Manifest.Files)
	}
	// A store that is opened again contains only data that has reached the disk.
	if err := errors.Join(err, st.Close()); err != nil {
		return nil, err
	}
	if p, err = c.open(ctx, number, s); err != nil {
		return nil, err
	}
	if err := files.WriteJSON(filepath.Join(c.folder(number), stateName), s); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

const (
	growth = 48 << 20
	// sizeLimit is the maximum memory of all files of an index, in bytes. The Linux kernel's source takes a third.
	sizeLimit = 4 << 30
	// An index may have wordLimit different words, and one more for each wordEvery bytes of its text. Their dictionary
	// is merged in memory. Go's own source, 100 MB, has 500,000 words.
	wordLimit = 2 << 20
	wordEvery = 128
	// vectorLimit is the maximum number of rows of a vector table. Their quantized vectors are kept in memory.
	vectorLimit = 8 << 20
	// batchFiles is the maximum number of files in a commit to the store.
	batchFiles = 1000
	// batchSize is the maximum size of the files in a commit, in bytes. A commit takes up to 100 times as much memory
	// as the text.
	batchSize = 1 << 18
)

var (
	errRefused = fmt.Errorf("%w: not an index of Search MCP", ErrDamaged)
	seed       = maphash.MakeSeed()
)

type budget struct {
	files, size, words int
	seen               [1 << 19]uint64 // bits of the words' hashes
	tokenizer          text.Tokenizer
}

func (b *budget) take(f *part.File) error {
	b.files--
	b.size -= f.Cost()
	count := func(word []byte, _ bool) {
		h := maphash.Bytes(seed, word) % (64 * uint64(len(b.seen)))
		if bit := uint64(1) << (h % 64); b.seen[h/64]&bit == 0 {
			b.seen[h/64] |= bit
			b.words--
		}
	}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		b.words += len(c.Text) / wordEvery
		names := slices.Clip(c.Symbols)
		for _, d := range c.Decls {
			names = append(append(names, d.Name), d.Scope...)
		}
		for _, s := range append(names, c.Text) {
			b.tokenizer.Tokens(s, count)
		}
	}
	if b.files < 0 || b.size < 0 || b.words < 0 {
		return fmt.Errorf("%w: more files than declared, more than %d GB, or too many words", errRefused, sizeLimit>>30)
	}
	return nil
}

func (c *Copy) fill(ctx context.Context, there *place, st *store.Store, m Manifest) error {
	left := &budget{files: m.Files, size: sizeLimit, words: wordLimit}
	for _, p := range m.Parts {
		if err := c.badParts[p.SHA256]; err != nil {
			return err
		}
		data, err := there.part(ctx, p)
		if err != nil {
			return err
		}
		list, err := c.read(ctx, data)
		if errors.Is(err, ErrDamaged) {
			err = fmt.Errorf("%w: %s: %w", errRefused, p.name(), err)
			c.badParts[p.SHA256] = err
		}
		if err != nil {
			return err
		}
		if err := commit(ctx, st, list, left); err != nil {
			return fmt.Errorf("%s: %w", p.name(), err)
		}
	}
	return nil
}

func commit(ctx context.Context, st *store.Store, list []part.File, left *budget) error {
	batch, size := map[api.Corpus][]store.FileChunks{}, 0
	for i := range list {
		f := &list[i]
		if err := left.take(f); err != nil {
			return err
		}
		for _, corpus := range api.Corpora {
			if _, again := st.Fingerprint(corpus, f.Path); again {
				return fmt.Errorf("%w: %s more than once", errRefused, f.Path)
			}
		}
		batch[f.Corpus] = append(batch[f.Corpus], store.FileChunks{Path: f.Path, Hash: f.Hash, Chunks: f.Chunks})
		size += f.Cost()
		if (i+1)%batchFiles != 0 && size < batchSize && i+1 < len(list) {
			continue
		}
		for _, corpus := range api.Corpora {
			if err := st.Put(ctx, corpus, batch[corpus]); err != nil {
				return err
			}
		}
		clear(batch)
		clear(list[:i+1])
		size = 0
	}
	return nil
}

func (c *Copy) now() *publication {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current
}

func (c *Copy) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{SharedIndex: api.SharedIndex{Location: c.at.String(), Checked: c.checked}, Err: c.problem}
	if p := c.current; p != nil {
		s.Published, s.Files, s.Chunks, s.Note = p.manifest.Published, p.manifest.Files, p.manifest.Chunks, p.note
		s.Project, s.DocFiles = p.manifest.Project, p.store.Stats().DocFiles
	}
	return s
}

func (c *Copy) Has(corpus api.Corpus, path, hash string) bool {
	p := c.now()
	if p == nil {
		return false
	}
	have, ok := p.store.Fingerprint(corpus, path)
	return ok && have == hash
}

// Close waits for the end of all Views and of a running Refresh. The caller must cancel the context of Refresh first.
func (c *Copy) Close() error {
	c.mu.Lock()
	c.closed = true
	p := c.current
	c.current = nil
	c.mu.Unlock()
	c.refreshing.Lock()
	defer c.refreshing.Unlock()
	if p == nil {
		return nil
	}
	if err := p.close(); err != nil {
		return fmt.Errorf("close shared index: %w", err)
	}
	return nil
}

type View struct {
	*store.View
	vectors map[api.Corpus]*vector.Table
}

func (c *Copy) View() *View {
	p := c.now()
	if p == nil {
		return nil
	}
	return &View{View: p.store.View(), vectors: p.vectors}
}

func (v *View) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	t := v.vectors[corpus]
	if t == nil {
		return nil, nil
	}
	hits, err := v.NearestBy(ctx, corpus, t.Search, vec, k, f)
	if err != nil {
		return nil, fmt.Errorf("search vectors of shared index: %w", err)
	}
	return hits, nil
}
