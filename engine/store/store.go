package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
)

// Store is the index of one project. It is safe for concurrent use, but only one goroutine may write.
type Store struct {
	dir        string
	opt        Options
	log        *slog.Logger
	folderLock *flock.Flock // nil in the next generation
	manifest   atomic.Pointer[manifest]

	writer  sync.Mutex
	handles *closableRWMutex
	corpora map[api.Corpus]*corpus

	metaMu sync.Mutex // guards meta and metadata.json
	meta   files.Metadata

	lastCommit  atomic.Int64          // Unix time in nanoseconds
	frozenStats atomic.Pointer[Stats] // result of Stats while the corpora are reopened, or nil
	sizes       sizeCache
}

const (
	lockName     = ".lock"
	manifestName = "store.json"
)

// manifest is the content of store.json, the versions of the components that created the index.
type manifest struct {
	Format  int    `json:"format"`
	Model   string `json:"model"`
	Chunker string `json:"chunker"`
	Static  string `json:"static,omitempty"`
}

// format is the version of the index format. Programs refuse an index with a higher format.
const format = text.Form

// Open opens the index in dir. It creates missing parts and recovers from a crash. An INDEX_CORRUPT error may wrap a
// *Damage for Quarantine. If only the vectors are unusable, Open succeeds, and VectorProblem returns the error.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	s := newStore(dir, o)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.apiError(fmt.Errorf("make project folder: %w", err), 0)
	}
	if err := s.lockFolder(); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(s.apiError(err, 0), s.unlockFolder())
	}
	return s, nil
}

func newStore(dir string, o Options) *Store {
	log := o.Log
	if log == nil {
		log = slog.Default()
	}
	s := &Store{dir: dir, opt: o, log: log, handles: new(closableRWMutex), corpora: map[api.Corpus]*corpus{}}
	s.manifest.Store(&manifest{})
	for _, name := range api.Corpora {
		s.corpora[name] = newCorpus(name, dir, log)
	}
	return s
}

// lockFolder locks the index against other processes. The system releases the lock when the process exits (RFC 10).
func (s *Store) lockFolder() error {
	name := filepath.Join(s.dir, lockName)
	_, err := os.Stat(name)
	existed := err == nil
	l := flock.New(name, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if !existed && api.Unwritable(err) { // a read-only disk needs no lock, because no process can write there
		s.log.Warn("index not locked", "err", err)
		return nil
	}
	if err != nil {
		return s.apiError(fmt.Errorf("lock index: %w", err), 0)
	}
	if !ok {
		return busy(fmt.Errorf("%s is locked", name))
	}
	if existed {
		s.log.Info("stale lock taken over", "file", lockName)
	}
	s.folderLock = l
	return nil
}

func (s *Store) unlockFolder() error {
	if s.folderLock == nil {
		return nil
	}
	if err := os.Remove(filepath.Join(s.dir, lockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Debug("lock file not removed", "err", err) // Windows can't remove an open file
	}
	if err := s.folderLock.Unlock(); err != nil {
		return fmt.Errorf("unlock index: %w", err)
	}
	return nil
}

func (s *Store) open(ctx context.Context) error {
	if err := s.recoverSwitch(); err != nil {
		return err
	}
	if err := s.removeForeignLocks(); err != nil {
		return err
	}
	if err := s.readManifest(); err != nil {
		return err
	}
	if err := s.openCorpora(ctx); err != nil {
		return err
	}
	s.readMetadata()
	return nil
}

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
	if err := s.resolveDuplicatePaths(ctx); err != nil {
		return err
	}
	s.readStamps()
	return s.updateManifest()
}

func (s *Store) closeCorpora() error {
	var errs []error
	for _, c := range s.corpora {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// readManifest reads store.json. If store.json and the text index are missing, another program created the vectors, and
// readManifest quarantines them.
func (s *Store) readManifest() error {
	if m, err := files.ReadMetadata(s.dir); err == nil && m.Newer() { // readMetadata handles an unreadable file
		return newer(fmt.Sprintf("metadata.json has version %s, this program knows %s", m.Version, files.MetadataVersion))
	}
	var found manifest
	err := files.ReadJSON(filepath.Join(s.dir, manifestName), &found)
	switch {
	case err == nil:
		if found.Format > format {
			return newer(fmt.Sprintf("store.json has format %d, this program knows %d", found.Format, format))
		}
		if found.Format < format {
			return s.discard(found.Format)
		}
		s.manifest.Store(&found)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		s.log.Warn("store.json not readable, treated as missing", "err", err)
	}
	s.manifest.Store(&manifest{})
	for _, c := range s.corpora {
		if _, err := os.Stat(c.path(c.layout.vectors)); err != nil {
			continue
		}
		if _, err := os.Stat(c.path(c.layout.text)); err == nil {
			continue
		}
		s.log.Info("index of another program found, rebuilding its vectors", "folder", c.layout.vectors)
		if err := quarantine(c.dir, c.layout.vectors); err != nil {
			return err
		}
	}
	return nil
}

// discard deletes an index whose rows this program can't read. Its files are indexed again.
func (s *Store) discard(format int) error {
	s.log.Info("index of an older version discarded, indexing its files again", "format", format)
	for _, c := range s.corpora {
		for _, name := range c.names() {
			if err := os.RemoveAll(c.path(name)); err != nil {
				return fmt.Errorf("discard old index: %w", err)
			}
		}
	}
	return nil
}

// updateManifest writes the versions of the embedding model and the chunker to store.json. An old version is kept while
// the index contains vectors or chunks of that version.
func (s *Store) updateManifest() error {
	have := *s.manifest.Load()
	want := have
	want.Format = format
	chunks, vectors := 0, false
	for _, c := range s.corpora {
		chunks += c.chunks
		vectors = vectors || c.vectorErr == nil && (!c.missingKnown || c.chunks > c.missing.chunks)
	}
	if s.opt.ChunkerVersion != "" && (chunks == 0 || want.Chunker == "") {
		want.Chunker = s.opt.ChunkerVersion
	}
	if s.opt.ModelHash != "" && (!vectors || want.Model == "") {
		want.Model = s.opt.ModelHash
	}
	if s.opt.Static != nil && !s.opt.NoVectors {
		want.Static = s.opt.Static.Hash()
	}
	if want == have {
		return nil
	}
	if err := files.WriteJSON(filepath.Join(s.dir, manifestName), want); err != nil {
		return err
	}
	s.manifest.Store(&want)
	return nil
}

// Outdated returns the reason why the index should be rebuilt, or "".
func (s *Store) Outdated() string {
	if !s.handles.rlock() {
		return ""
	}
	defer s.handles.RUnlock()
	switch {
	case s.opt.ChunkerVersion != "" && s.manifest.Load().Chunker != s.opt.ChunkerVersion:
		return "files were cut into chunks by another version of the program"
	case s.otherModel():
		return "vectors were made with another model"
	}
	return ""
}

func (s *Store) otherModel() bool {
	return s.opt.ModelHash != "" && s.manifest.Load().Model != s.opt.ModelHash
}

// removeForeignLocks deletes lock files that other programs left in the vector tables. lockFolder must have locked the
// index.
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
		s.log.Warn("metadata not readable, quarantined", "err", err)
		if err := quarantine(s.dir, files.MetadataName); err != nil {
			s.log.Warn("metadata not quarantined", "err", err)
		}
	}
	s.metaMu.Lock()
	s.meta = m
	s.metaMu.Unlock()
}

func (s *Store) Metadata() Metadata {
	s.metaMu.Lock()
	defer s.metaMu.Unlock()
	return s.meta
}

// UpdateMetadata applies change to the metadata, updates the counts, and writes metadata.json.
func (s *Store) UpdateMetadata(change func(*Metadata)) error {
	s.sizes.expire()
	st := s.Stats()
	s.metaMu.Lock()
	defer s.metaMu.Unlock()
	m := s.meta
	change(&m)
	m.Version = files.MetadataVersion
	m.Stats = files.Totals{TotalFiles: st.Files, TotalChunks: st.Chunks, StorageSizeBytes: st.SizeBytes}
	m.DocsStats = files.DocTotals{TotalDocs: st.DocFiles, TotalDocChunks: st.DocChunks,
		DocsStorageSizeBytes: st.DocSizeBytes}
	if err := files.WriteMetadata(s.dir, m); err != nil {
		return s.apiError(err, 0)
	}
	s.meta = m
	return nil
}

func (s *Store) readStamps() {
	all, err := files.ReadStamps(filepath.Join(s.dir, files.StampsName))
	if err != nil {
		s.log.Warn("stamps not readable, files will be hashed again", "err", err)
	}
	for path, c := range all {
		for _, half := range s.corpora {
			half.stamp(path, c)
		}
	}
}

func (s *Store) writeStamps() error {
	all := map[string]files.CheckedStamp{}
	for _, c := range s.corpora {
		c.mu.RLock()
		for p, e := range c.entries {
			if e.stamp != (Stamp{}) {
				all[p] = files.CheckedStamp{Stamp: e.stamp, At: e.checked}
			}
		}
		c.mu.RUnlock()
	}
	return files.WriteStamps(filepath.Join(s.dir, files.StampsName), all)
}

// Checkpoint empties the journals of fingerprints and deletes outdated vectors.
func (s *Store) Checkpoint() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	err := s.checkpointFiles()
	if errors.Is(err, ErrClosed) {
		return err
	}
	for _, name := range api.Corpora {
		s.checkpointVectors(s.corpora[name])
	}
	return s.apiError(err, 0)
}

// checkpointFiles empties the journals and writes the stamps of files. The caller must hold Store.writer.
func (s *Store) checkpointFiles() error {
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	var errs []error
	for _, name := range api.Corpora {
		if err := s.corpora[name].checkpoint(); err != nil {
			errs = append(errs, fmt.Errorf("%s corpus: %w", name, err))
		}
	}
	return errors.Join(append(errs, s.writeStamps())...)
}

// checkpointVectors deletes c's outdated vectors, unless the vector table is being written. The caller must hold
// Store.writer, and must not hold Store.handles.
func (s *Store) checkpointVectors(c *corpus) {
	if !c.vectorWriter.TryLock() {
		return
	}
	defer c.vectorWriter.Unlock()
	if !s.handles.rlock() {
		return
	}
	defer s.handles.RUnlock()
	if err := c.deleteStaleVectors(context.Background()); err != nil {
		s.log.Warn("stale vector rows not removed", "corpus", string(c.name), "err", err)
	}
}

// Close writes a checkpoint, waits until all views are released, and closes s. It may be called twice.
func (s *Store) Close() error {
	err := s.Checkpoint()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if err != nil {
		s.log.Warn("no checkpoint before closing", "err", err) // nothing is lost: the journals contain the changes
	}
	return s.closeWithoutCheckpoint()
}

func (s *Store) closeWithoutCheckpoint() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if !s.handles.lock() {
		return nil
	}
	err := s.closeCorpora()
	s.handles.unlock(true)
	return errors.Join(err, s.unlockFolder())
}

// Suspend closes the files of the text indexes until the next search or commit. It returns false if s is in use.
func (s *Store) Suspend() bool {
	if !s.handles.TryLock() {
		return false
	}
	defer s.handles.Unlock()
	suspended := true
	for _, c := range s.corpora {
		suspended = (c.text == nil || c.text.Suspend()) && suspended
	}
	return suspended
}

// VectorProblem returns an error if the vectors are unusable, so that only text search works. INDEX_CORRUPT means that
// RebuildVectors must repair a damaged table. Other errors wrap ErrVectors.
func (s *Store) VectorProblem() error {
	if !s.handles.rlock() {
		return ErrClosed
	}
	defer s.handles.RUnlock()
	for _, name := range api.Corpora {
		if err := s.corpora[name].vectorErr; err != nil {
			return s.apiError(fmt.Errorf("%w: %w", ErrVectors, err), 0)
		}
	}
	if s.otherModel() {
		return fmt.Errorf("%w: made with another model", ErrVectors)
	}
	return nil
}

// Stamp returns the stamp of a committed file, and the time of the last comparison with its fingerprint.
func (s *Store) Stamp(path string) (Stamp, time.Time, bool) {
	for _, c := range s.corpora {
		if e, ok := c.entry(path); ok {
			return e.stamp, e.checked, true
		}
	}
	return Stamp{}, time.Time{}, false
}

// Paths yields the committed paths of both corpora, sorted within each corpus.
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

func (s *Store) Fingerprint(corpus api.Corpus, path string) (string, bool) {
	e, ok := s.corpora[corpus].entry(path)
	if !ok {
		return "", false
	}
	return e.hash.String(), true
}

func (s *Store) CorpusOf(path string) (api.Corpus, bool) {
	for _, name := range api.Corpora {
		if _, ok := s.corpora[name].entry(path); ok {
			return name, true
		}
	}
	return "", false
}

// Stats returns the numbers of files, chunks and vectors. Stats is fast enough to be called for every event.
func (s *Store) Stats() Stats {
	if st := s.frozenStats.Load(); st != nil {
		return *st
	}
	var st Stats
	for name, c := range s.corpora {
		f, ch, v := c.counts()
		st.Files, st.Chunks, st.Vectors = st.Files+f, st.Chunks+ch, st.Vectors+v
		if k := c.staticSketch(); k != nil {
			st.Static += min(ch, k.Len())
		}
		if name == api.CorpusDocs {
			st.DocFiles, st.DocChunks = f, ch
		}
	}
	if s.otherModel() { // searches ignore vectors of another model
		st.Vectors = 0
	}
	if n := s.lastCommit.Load(); n != 0 {
		st.LastCommit = time.Unix(0, n)
	}
	st.SizeBytes, st.DocSizeBytes = s.sizes.get(s)
	return st
}

// closableRWMutex is an RWMutex that can be closed. Locking a closed mutex fails.
type closableRWMutex struct {
	sync.RWMutex
	closed bool
}

func (g *closableRWMutex) rlock() bool {
	g.RLock()
	if g.closed {
		g.RUnlock()
		return false
	}
	return true
}

func (g *closableRWMutex) lock() bool {
	g.Lock()
	if g.closed {
		g.Unlock()
		return false
	}
	return true
}

func (g *closableRWMutex) unlock(close bool) {
	g.closed = g.closed || close
	g.Unlock()
}
