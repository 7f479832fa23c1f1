package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// Store is one project's index. Its methods are safe for concurrent use; those that write are meant for one actor and one
// lane of vectors.
type Store struct {
	dir   string
	opt   Options
	log   *slog.Logger
	lock  *flock.Flock          // nil in a generation that is being built: the current one holds it
	about atomic.Pointer[about] // never nil

	writer  sync.Mutex // see the package's comment
	gate    *gate
	corpora map[api.Corpus]*corpus

	metaMu sync.Mutex // guards meta; a leaf held over the write of metadata.json
	meta   files.Metadata

	committed atomic.Int64          // time of the last commit, nanoseconds
	frozen    atomic.Pointer[Stats] // what Stats says while handles are being replaced
	sizes     sizeCache
}

// Names of a store's own files.
const (
	lockName  = ".lock"
	aboutName = "store.json"
)

// about is store.json: what the index was made with.
type about struct {
	Format  int    `json:"format"`
	Model   string `json:"model"`
	Chunker string `json:"chunker"`
	// Complete says of which chunks a table's version has all vectors. It is no truth of its own but saves a comparison of the
	// two indexes: both must still be what it says.
	Complete map[api.Corpus]complete `json:"complete,omitempty"`
}

// complete is a state in which every chunk had its vector and no row was in excess.
type complete struct {
	Chunks  int    `json:"chunks"`
	IDs     uint64 `json:"ids"` // sum of entry.ids
	Version int    `json:"version"`
}

// format is the version of our own files' layout.
const format = 1

// Open opens the index in dir, makes what is missing and finishes what a crash left unfinished. Errors are *api.Error where a
// caller can act: INDEX_CORRUPT (with a *Damage inside; Backup moves that aside), BUSY, DISK_FULL, PERMISSION_DENIED. A vector table that
// cannot be used does not keep the store from opening; see VectorProblem.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	s := newStore(dir, o)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.typed(fmt.Errorf("make project folder: %w", err), 0)
	}
	if err := s.acquire(); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(s.typed(err, 0), s.release())
	}
	return s, nil
}

func newStore(dir string, o Options) *Store {
	log := o.Log
	if log == nil {
		log = slog.Default()
	}
	s := &Store{dir: dir, opt: o, log: log, gate: newGate(), corpora: map[api.Corpus]*corpus{}}
	s.about.Store(&about{})
	for _, name := range api.Corpora {
		s.corpora[name] = newCorpus(name, dir, log)
	}
	return s
}

// acquire takes the project's lock. The system drops it with the process, so a file that a crash left is free (RFC 10).
func (s *Store) acquire() error {
	name := filepath.Join(s.dir, lockName)
	_, err := os.Stat(name)
	left := err == nil
	l := flock.New(name, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return s.typed(fmt.Errorf("lock index: %w", err), 0)
	}
	if !ok {
		return busy(fmt.Errorf("%s is locked", name))
	}
	if left {
		s.log.Info("stale lock taken over", "file", lockName)
	}
	s.lock = l
	return nil
}

func (s *Store) release() error {
	if s.lock == nil {
		return nil
	}
	if err := os.Remove(filepath.Join(s.dir, lockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Debug("lock file not removed", "err", err) // Windows removes no open file; it is taken over next time
	}
	if err := s.lock.Unlock(); err != nil {
		return fmt.Errorf("unlock index: %w", err)
	}
	return nil
}

// open does what Open promises, with the lock held.
func (s *Store) open(ctx context.Context) error {
	if err := s.recoverSwitch(); err != nil {
		return err
	}
	if err := s.removeForeignLocks(); err != nil {
		return err
	}
	if err := s.readAbout(); err != nil {
		return err
	}
	if err := s.openCorpora(ctx); err != nil {
		return err
	}
	s.readMetadata()
	return nil
}

// openCorpora opens both halves and settles what a crash left between them.
func (s *Store) openCorpora(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.closeCorpora())
		}
	}()
	for _, name := range api.Corpora {
		if err := s.openCorpus(ctx, s.corpora[name]); err != nil {
			return fmt.Errorf("open %s corpus: %w", name, err)
		}
	}
	if err := s.settleDoubled(ctx); err != nil {
		return err
	}
	s.readStamps()
	return s.writeAbout()
}

func (s *Store) closeCorpora() error {
	var errs []error
	for _, c := range s.corpora {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// readAbout also recognises an index that another program of the same layout made: it has tables and no store.json. Its texts are
// indexed anew and its vectors, of another model, are put aside (RFC 3.1).
func (s *Store) readAbout() error {
	if m, err := files.ReadMetadata(s.dir); err == nil && m.Newer() { // one that can't be read is dealt with where it is needed
		return api.New(api.IndexCorrupt, "This index was made by a newer version of the program.",
			fmt.Sprintf("metadata.json has version %s, this program knows %s", m.Version, files.MetadataVersion), nil)
	}
	var found about
	err := files.ReadJSON(filepath.Join(s.dir, aboutName), &found)
	switch {
	case err == nil:
		if found.Format > format {
			return api.New(api.IndexCorrupt, "This index was made by a newer version of the program.",
				fmt.Sprintf("store.json has format %d, this program knows %d", found.Format, format), nil)
		}
		s.about.Store(&found)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		s.log.Warn("store.json not readable, taken as missing", "err", err)
	}
	s.about.Store(&about{})
	for _, c := range s.corpora {
		if _, err := os.Stat(c.path(c.layout.vectors)); err != nil {
			continue
		}
		if _, err := os.Stat(c.path(c.layout.text)); err == nil {
			continue // ours; only store.json is lost
		}
		s.log.Info("index of another program found, its vectors are made anew", "folder", c.layout.vectors)
		if err := aside(c.dir, c.layout.vectors); err != nil {
			return err
		}
	}
	return nil
}

// writeAbout notes what new content is made with: the options', unless there is older content that they do not fit.
func (s *Store) writeAbout() error {
	have := *s.about.Load()
	want := have
	want.Format = format
	chunks, vectors := 0, 0
	for _, c := range s.corpora {
		chunks += c.chunks
		vectors += c.estimate
	}
	if s.opt.ChunkerVersion != "" && (chunks == 0 || want.Chunker == "") {
		want.Chunker = s.opt.ChunkerVersion
	}
	if s.opt.ModelHash != "" && (vectors == 0 || want.Model == "") {
		want.Model = s.opt.ModelHash
	}
	if want.Format == have.Format && want.Chunker == have.Chunker && want.Model == have.Model {
		return nil
	}
	return s.setAbout(want)
}

// setAbout replaces store.json. The writer's lock is held, or nobody else is here.
func (s *Store) setAbout(want about) error {
	if err := files.WriteJSON(filepath.Join(s.dir, aboutName), want); err != nil {
		return err
	}
	s.about.Store(&want)
	return nil
}

// Outdated says why the index should be rebuilt into a new generation: it was made by another chunker or model than the options
// name. "" when it was not.
func (s *Store) Outdated() string {
	if !s.gate.enter() {
		return ""
	}
	defer s.gate.leave()
	switch {
	case s.opt.ChunkerVersion != "" && s.about.Load().Chunker != s.opt.ChunkerVersion:
		return "files were cut into chunks by another version of the program"
	case s.otherModel():
		return "vectors were made with another model"
	}
	return ""
}

func (s *Store) otherModel() bool {
	return s.opt.ModelHash != "" && s.about.Load().Model != s.opt.ModelHash
}

// removeForeignLocks deletes lock files that other programs of this layout left in the tables; nobody else is here.
func (s *Store) removeForeignLocks() error {
	for _, c := range s.corpora {
		found, err := filepath.Glob(filepath.Join(c.path(c.layout.vectors), "*.lock"))
		if err != nil {
			return fmt.Errorf("look for stale locks: %w", err)
		}
		for _, name := range found {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("remove stale lock: %w", err)
			}
			s.log.Warn("stale lock removed", "file", filepath.Base(name))
		}
	}
	return nil
}

func (s *Store) readMetadata() {
	m, err := files.ReadMetadata(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("metadata not readable, put aside", "err", err)
		if err := aside(s.dir, files.MetadataName); err != nil {
			s.log.Warn("metadata not put aside", "err", err)
		}
	}
	s.metaMu.Lock()
	s.meta = m
	s.metaMu.Unlock()
}

// Metadata returns metadata.json as last written.
func (s *Store) Metadata() Metadata {
	s.metaMu.Lock()
	defer s.metaMu.Unlock()
	return s.meta
}

// UpdateMetadata changes metadata.json and brings its figures up to date.
func (s *Store) UpdateMetadata(change func(*Metadata)) error {
	s.sizes.expire()
	st := s.Stats()
	s.metaMu.Lock()
	defer s.metaMu.Unlock()
	m := s.meta
	change(&m)
	m.Version = files.MetadataVersion
	m.Stats = files.Totals{
		TotalFiles: st.Files - st.DocFiles, TotalChunks: st.Chunks - st.DocChunks, StorageSizeBytes: st.SizeBytes - st.DocSizeBytes,
	}
	m.DocsStats = files.DocTotals{TotalDocs: st.DocFiles, TotalDocChunks: st.DocChunks, DocsStorageSizeBytes: st.DocSizeBytes}
	if err := files.WriteMetadata(s.dir, m); err != nil {
		return s.typed(err, 0)
	}
	s.meta = m
	return nil
}

// readStamps gives committed files their stamps back. Without them files are hashed again, that is all.
func (s *Store) readStamps() {
	err := files.ReadStamps(filepath.Join(s.dir, files.StampsName), func(path string, c files.Checked) {
		for _, half := range s.corpora {
			half.stamp(path, c)
		}
	})
	if err != nil {
		s.log.Warn("stamps not readable, files will be hashed again", "err", err)
	}
}

func (s *Store) writeStamps() error {
	all := map[string]files.Checked{}
	for _, c := range s.corpora {
		c.mu.RLock()
		for p, e := range c.entries {
			if !e.checked.IsZero() {
				all[p] = files.Checked{Stamp: e.stamp, At: e.checked}
			}
		}
		c.mu.RUnlock()
	}
	return files.WriteStamps(filepath.Join(s.dir, files.StampsName), len(all), maps.All(all))
}

// Fold writes fingerprints and stamps into their files, and removes vector rows that nobody reads any more.
func (s *Store) Checkpoint() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	err := s.foldFiles()
	if errors.Is(err, ErrClosed) {
		return err
	}
	for _, name := range api.Corpora {
		s.foldVectors(s.corpora[name])
	}
	return s.typed(err, 0)
}

// foldFiles needs the writer's lock.
func (s *Store) foldFiles() error {
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	var errs []error
	for _, name := range api.Corpora {
		if err := s.corpora[name].fold(); err != nil {
			errs = append(errs, fmt.Errorf("%s corpus: %w", name, err))
		}
	}
	return errors.Join(append(errs, s.writeStamps())...)
}

// foldVectors needs the writer's lock, and not the gate: whoever compacts holds the vector writer's lock while it waits for the
// gate to be empty. Commits must not wait for that, so a table that is being written is left to the next Fold.
func (s *Store) foldVectors(c *corpus) {
	if !c.vectorWriter.TryLock() {
		return
	}
	defer c.vectorWriter.Unlock()
	if !s.gate.enter() {
		return
	}
	defer s.gate.leave()
	if err := c.dropStale(context.Background()); err != nil {
		// They are only skipped by every reader; the next call tries again.
		s.log.Warn("stale vector rows not removed", "corpus", string(c.name), "err", err)
	}
	s.noteComplete(c)
}

// noteComplete writes down that a corpus has all its vectors, so that the next Open need not compare. The vector writer's lock is held.
func (s *Store) noteComplete(c *corpus) {
	if c.vectors == nil || c.vectorErr != nil || s.otherModel() {
		return
	}
	c.mu.RLock()
	done := c.derived && len(c.missing) == 0 && len(c.stale) == 0
	now := complete{Chunks: c.chunks, IDs: c.idSum()}
	c.mu.RUnlock()
	if !done {
		return
	}
	var err error
	if now.Version, err = c.vectors.Version(context.Background()); err == nil && s.about.Load().Complete[c.name] != now {
		want := *s.about.Load()
		want.Complete = maps.Clone(want.Complete)
		if want.Complete == nil {
			want.Complete = map[api.Corpus]complete{}
		}
		want.Complete[c.name] = now
		err = s.setAbout(want)
	}
	if err != nil {
		s.log.Warn("completeness of vectors not noted", "err", err) // the next start compares
	}
}

// Close folds, waits for views and closes everything. It may be called twice.
func (s *Store) Close() error {
	err := s.Checkpoint()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if err != nil {
		s.log.Warn("index not folded before closing", "err", err) // the journals say the same
	}
	return s.shut()
}

// shut closes without folding.
func (s *Store) shut() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.gate.lock() {
		return nil
	}
	err := s.closeCorpora()
	s.gate.unlock(true)
	return errors.Join(err, s.release())
}

// VectorProblem says why vectors cannot be used, nil if they can. Text works all the same. It wraps ErrVectors; a damaged table is an
// *api.Error INDEX_CORRUPT that RebuildVectors mends.
func (s *Store) VectorProblem() error {
	if !s.gate.enter() {
		return ErrClosed
	}
	defer s.gate.leave()
	for _, name := range api.Corpora {
		if err := s.corpora[name].vectorErr; err != nil {
			return s.typed(fmt.Errorf("%w: %w", ErrVectors, err), 0)
		}
	}
	if s.otherModel() {
		return fmt.Errorf("%w: they were made with another model", ErrVectors)
	}
	return nil
}

// Stamp returns what a committed file looked like when its content was last seen to be what the fingerprint says.
func (s *Store) Stamp(path string) (Stamp, time.Time, bool) {
	for _, c := range s.corpora {
		if e, ok := c.entry(path); ok {
			return e.stamp, e.checked, true
		}
	}
	return Stamp{}, time.Time{}, false
}

// Paths yields every committed path of both corpora, each corpus sorted.
func (s *Store) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range api.Corpora {
			for _, p := range s.corpora[name].paths() {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Fingerprint returns the content hash that is committed for a path.
func (s *Store) Fingerprint(corpus api.Corpus, path string) (string, bool) {
	c, ok := s.corpora[corpus]
	if !ok {
		return "", false
	}
	e, ok := c.entry(path)
	if !ok {
		return "", false
	}
	return e.hash.String(), true
}

// CorpusOf returns the corpus that names a path.
func (s *Store) CorpusOf(path string) (api.Corpus, bool) {
	for _, name := range api.Corpora {
		if _, ok := s.corpora[name].entry(path); ok {
			return name, true
		}
	}
	return "", false
}

// Stats counts what is committed. It is cheap enough to be called on every event.
func (s *Store) Stats() Stats {
	if st := s.frozen.Load(); st != nil {
		return *st
	}
	var st Stats
	for name, c := range s.corpora {
		f, ch, v := c.counts()
		st.Files, st.Chunks, st.Vectors = st.Files+f, st.Chunks+ch, st.Vectors+v
		if name == api.CorpusDocs {
			st.DocFiles, st.DocChunks = f, ch
		}
	}
	if n := s.committed.Load(); n != 0 {
		st.LastCommit = time.Unix(0, n)
	}
	st.SizeBytes, st.DocSizeBytes = s.sizes.get(s)
	return st
}
