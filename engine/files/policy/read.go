package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
)

// Stamp is a file's metadata. A different stamp means that the file may have changed.
type Stamp struct {
	Size    int64
	ModTime time.Time
	Inode   uint64
}

type Entry struct {
	Path   string // key, or a printable name if the name can't be a key
	Dir    bool
	Stamp  Stamp      // zero for folders, and for most skipped files
	Reason api.Reason // SkipNone if the file is indexed or the folder is walked
	Corpus api.Corpus // set for indexed files
}

type folder struct {
	p    *Policy
	root *os.Root
	key  string
	disk string // path on disk relative to the root, with slashes
}

func (d *folder) Close() { d.root.Close() }

// openRoot opens the policy's root. It returns ErrRootGone for most errors.
func (p *Policy) openRoot() (*folder, error) {
	info, err := os.Lstat(p.root)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: p.root, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	root, err := os.OpenRoot(p.root)
	if api.TooManyFiles(err) {
		return nil, fmt.Errorf("open project folder: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	return &folder{p: p, root: root, key: ".", disk: "."}, nil
}

func Identify(root string) fs.FileInfo {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer dir.Close()
	info, _ := dir.Stat(".") // nil after an error
	return info
}

// openDir opens a folder one component at a time. For security, openDir follows no links.
func (p *Policy) openDir(key string) (*folder, error) {
	d, err := p.openRoot()
	if err != nil || key == "." {
		return d, err
	}
	for part := range strings.SplitSeq(key, "/") {
		next, err := d.step(part)
		d.Close()
		if err != nil {
			return nil, err
		}
		d = next
	}
	return d, nil
}

func (d *folder) step(part string) (*folder, error) {
	key := path.Join(d.key, part)
	name, info, err := d.lstat(part, key)
	if err != nil {
		return nil, err
	}
	if kind(info)&fs.ModeSymlink != 0 {
		return nil, api.ErrSymlink(key)
	}
	if !info.IsDir() {
		return nil, classify(key, &fs.PathError{Op: "open", Path: key, Err: syscall.ENOTDIR})
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, classify(key, err)
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = api.ErrSymlink(key)
	}
	if err != nil {
		root.Close()
		return nil, classify(key, err)
	}
	return &folder{p: d.p, root: root, key: key, disk: path.Join(d.disk, name)}, nil
}

func classify(key string, err error) error {
	switch {
	case api.CodeOf(err) != "":
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		e := api.ErrFileNotFound(key)
		e.Cause = err
		return e
	case errors.Is(err, fs.ErrPermission):
		return api.ErrPermission(key, err)
	case lockedByOther(err):
		err = fmt.Errorf("%w: %w", ErrLocked, err)
	}
	return fmt.Errorf("open %s: %w", key, err)
}

// lstat finds the entry with the name part. For security, a name that differs in case is refused, because other rules
// apply.
func (d *folder) lstat(part, key string) (name string, info fs.FileInfo, err error) {
	info, err = d.root.Lstat(part)
	if err == nil && !d.p.fold {
		return part, info, nil
	}
	if err != nil && (isASCII(part) || !errors.Is(err, fs.ErrNotExist)) {
		return "", nil, classify(key, err)
	}
	names, listErr := d.names()
	if listErr != nil {
		return "", nil, classify(key, listErr)
	}
	if names[part] && err == nil {
		return part, info, nil
	}
	if !isASCII(part) {
		var same []string
		for name := range names {
			if norm.NFC.String(name) == part {
				same = append(same, name)
			}
		}
		if len(same) > 0 {
			name = slices.Min(same)
			if info, err = d.root.Lstat(name); err != nil {
				return "", nil, classify(key, err)
			}
			return name, info, nil
		}
	}
	return "", nil, classify(key, &fs.PathError{Op: "lstat", Path: key, Err: fs.ErrNotExist})
}

// names returns the names in a folder, from a cache if the file system ignores case.
func (d *folder) names() (map[string]bool, error) {
	info, err := d.root.Stat(".")
	if err != nil {
		return nil, err
	}
	c := d.p.cache.Load()
	if d.p.fold {
		c.mu.RLock()
		kept, ok := c.names[d.key]
		c.mu.RUnlock()
		if ok && kept.modTime.Equal(info.ModTime()) {
			return kept.names, nil
		}
	}
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	names := set(list...)
	if d.p.fold {
		c.mu.Lock()
		if len(c.names) >= maxCached {
			clear(c.names)
		}
		c.names[d.key] = listing{modTime: info.ModTime(), names: names}
		c.mu.Unlock()
	}
	return names, nil
}

// open opens a regular file. For security, open refuses links and pipes.
func (d *folder) open(part string) (*os.File, fs.FileInfo, error) {
	key := path.Join(d.key, part)
	name, info, err := d.lstat(part, key)
	if err != nil {
		return nil, nil, err
	}
	switch mode := kind(info); {
	case mode&fs.ModeSymlink != 0:
		return nil, nil, api.ErrSymlink(key)
	case !mode.IsRegular():
		return nil, info, errSpecial
	case elsewhere(info):
		return nil, info, errElsewhere
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, info, classify(key, err)
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = api.ErrSymlink(key)
	}
	if err != nil {
		f.Close()
		return nil, nil, classify(key, err)
	}
	return f, opened, nil
}

var (
	errSpecial   = errors.New("not a regular file")
	errElsewhere = errors.New("its content is not on this computer")
)

func (d *folder) read(part string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := d.open(part)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, info, err
}

// outcome converts an error from opening a file to the reason for skipping the file, or to an error.
func outcome(err error) (api.Reason, error) {
	switch {
	case errors.Is(err, errSpecial):
		return api.SkipSpecial, nil
	case errors.Is(err, errElsewhere):
		return api.SkipOnline, nil
	case errors.Is(err, ErrRootGone):
		return api.SkipNone, err
	}
	switch api.CodeOf(err) {
	case api.SymlinkNotAllowed:
		return api.SkipSymlink, err
	case api.PermissionDenied:
		return api.SkipUnreadable, err
	}
	return api.SkipNone, err
}

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), ModTime: info.ModTime(), Inode: inode(info)}
}

// Stat returns a file's stamp and the reason for skipping the file, without opening the file. If the reason is
// SkipNone, an error means that the file's state is unknown. Otherwise the error explains the reason. With
// SkipUnreadable, a zero stamp means that a parent folder is unreadable.
func (p *Policy) Stat(rel string) (Stamp, api.Reason, error) {
	key, ok := Key(rel)
	if !ok {
		return Stamp{}, api.SkipPath, nil
	}
	if key == "." {
		return Stamp{}, api.SkipNone, ErrFolder
	}
	d, err := p.openDir(path.Dir(key))
	if err != nil {
		reason, err := outcome(err)
		return Stamp{}, reason, err
	}
	defer d.Close()
	name, info, err := d.lstat(path.Base(key), key)
	if err != nil {
		reason, err := outcome(err)
		return Stamp{}, reason, err
	}
	switch mode := kind(info); {
	case mode&fs.ModeSymlink != 0:
		return Stamp{}, api.SkipSymlink, api.ErrSymlink(key)
	case mode.IsDir():
		return Stamp{}, p.Dir(key), ErrFolder
	case !mode.IsRegular():
		return Stamp{}, api.SkipSpecial, nil
	}
	st := p.state(path.Dir(key))
	if r := p.beforeSize(st, key); r != api.SkipNone {
		return stampOf(info), r, nil
	}
	reason, err := p.fromSize(d, st, key, name, info)
	if err != nil && reason == api.SkipNone {
		return Stamp{}, reason, err
	}
	return stampOf(info), reason, err
}

var ErrFolder = errors.New("is a folder")

func (p *Policy) fromSize(d *folder, st *dirState, key, name string, info fs.FileInfo) (api.Reason, error) {
	if info.Size() > p.rules.MaxFileSize {
		return api.SkipSize, nil
	}
	if r := p.afterSize(st, key); r != api.SkipNone {
		return r, nil
	}
	if elsewhere(info) {
		return api.SkipOnline, nil
	}
	if err := d.readable(name, info); errors.Is(err, fs.ErrNotExist) {
		return api.SkipNone, classify(key, err)
	} else if err != nil {
		return api.SkipUnreadable, api.ErrPermission(key, err)
	}
	return api.SkipNone, nil
}

// Read reads a file that may be indexed. It decodes UTF-16 and replaces secrets with markers (package secret). The
// reason and the error are the same as in Stat. The stamp is taken before reading, so that the next comparison detects
// a change during reading.
func (p *Policy) Read(rel string) ([]byte, Stamp, api.Reason, error) { return p.ReadAs(rel, nil) }

// Reader reads many files in one pass. Opening a folder takes longer than reading a file, so the Reader keeps the last
// folder open. Only one goroutine may use a Reader.
type Reader struct {
	p     *Policy
	last  *folder
	spare []byte // memory of a file that was read and not accepted
}

func (p *Policy) Reader() *Reader { return &Reader{p: p} }

func (r *Reader) Close() {
	if r.last != nil {
		r.last.Close()
		r.last = nil
	}
}

func (r *Reader) folder(key string) (*folder, error) {
	if r.last != nil && r.last.key == key {
		return r.last, nil
	}
	r.Close()
	d, err := r.p.openDir(key)
	if err != nil {
		return nil, err
	}
	r.last = d
	return d, nil
}

// ReadIf is like Policy.Read, but returns nil data if accept returns false for the file's bytes. accept must not retain
// raw.
func (r *Reader) ReadIf(rel string, accept func(raw []byte) bool) ([]byte, Stamp, api.Reason, error) {
	return r.read(rel, nil, accept)
}

// Text converts a file's bytes to UTF-8 text. ok is false if the bytes can't be converted.
type Text func(data []byte) (text []byte, ok bool)

// ReadAs is like Read for formats that may be binary. If text is not nil, text converts the bytes before secrets are
// replaced.
func (p *Policy) ReadAs(rel string, text Text) ([]byte, Stamp, api.Reason, error) {
	r := p.Reader()
	defer r.Close()
	return r.read(rel, text, nil)
}

func (r *Reader) read(rel string, text Text, accept func(raw []byte) bool) ([]byte, Stamp, api.Reason, error) {
	p := r.p
	key, ok := Key(rel)
	if !ok || key == "." {
		return nil, Stamp{}, api.SkipPath, nil
	}
	st := p.state(path.Dir(key))
	if r := p.beforeSize(st, key); r != api.SkipNone && (r != api.SkipBinary || text == nil) {
		return nil, Stamp{}, r, nil
	}
	if r := p.afterSize(st, key); r != api.SkipNone {
		return nil, Stamp{}, r, nil
	}
	d, err := r.folder(path.Dir(key))
	if err != nil {
		reason, err := outcome(err)
		return nil, Stamp{}, reason, err
	}
	f, info, err := d.open(path.Base(key))
	if err != nil {
		reason, err := outcome(err)
		if reason == api.SkipUnreadable && info != nil {
			return nil, stampOf(info), reason, err
		}
		return nil, Stamp{}, reason, err
	}
	defer f.Close()
	data, reason, err := r.content(f, info.Size(), key, text, accept)
	if lockedByOther(err) {
		err = fmt.Errorf("%w: %w", ErrLocked, err)
	}
	if err != nil {
		return nil, stampOf(info), api.SkipUnreadable, fmt.Errorf("read %s: %w", key, err)
	}
	return data, stampOf(info), reason, nil
}

// content reads an open file, converts its text, and replaces secrets.
func (r *Reader) content(f io.Reader, size int64, key string, text Text,
	accept func(raw []byte) bool) ([]byte, api.Reason, error) {
	limit := r.p.rules.MaxFileSize
	space := slices.Grow(r.spare, int(min(size, max(limit, headSize)))+bytes.MinRead)
	r.spare = nil
	data := space[:min(size, headSize)]
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "", err
	}
	data = data[:n]
	utf16 := utf16Of(data)
	if text == nil && utf16 == nil && binaryHead(data) {
		return nil, api.SkipBinary, nil
	}
	if size > limit {
		return nil, api.SkipSize, nil
	}
	whole := bytes.NewBuffer(data)
	if _, err := whole.ReadFrom(io.LimitReader(f, limit+1-int64(n))); err != nil {
		return nil, "", err
	}
	buf := whole.Bytes()
	if int64(len(buf)) > limit { // the file has grown
		return nil, api.SkipSize, nil
	}
	if text == nil {
		if utf16 = utf16Of(buf); utf16 != nil {
			text = func(data []byte) ([]byte, bool) { return decodeUTF16(data, utf16) }
		}
	}
	if text != nil {
		made, ok := text(buf)
		if !ok {
			return nil, api.SkipBinary, nil
		}
		buf = made
	}
	if binaryHead(buf) {
		return nil, api.SkipBinary, nil
	}
	if bytes.IndexByte(buf, 0) >= 0 {
		// Remove NULs, because secrets with NULs are not found.
		buf = bytes.ReplaceAll(buf, []byte{0}, nil)
	}
	if accept != nil && !accept(buf) {
		r.spare = buf[:0]
		return nil, api.SkipNone, nil
	}
	buf, reason := r.p.withoutSecrets(key, buf)
	return buf, reason, nil
}

// ReadDir returns a folder's entries, sorted by path, each with the reason for skipping the entry. The folder's ignore
// files are read again.
func (p *Policy) ReadDir(rel string) ([]Entry, error) {
	key, ok := Key(rel)
	if !ok {
		return nil, api.ErrArgument("path", "a folder inside the project")
	}
	d, err := p.openDir(key)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.root.Open(".")
	if err != nil {
		return nil, d.listError(err)
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, d.listError(err)
	}
	if key == "." && len(list) > 0 {
		if info, err := f.Stat(); err == nil {
			p.seen.Store(&info)
		}
	}
	names := make(map[string]bool, len(list))
	for _, e := range list {
		names[e.Name()] = true
	}
	// Load the rules again, because the folder may have been replaced.
	st := p.loadState(p.cache.Load(), key, d, names)
	if st.reason != api.SkipNone {
		return nil, api.New(api.FileNotIndexable, "This folder is not indexed.", fmt.Sprintf("%s: %s", key, st.reason), nil)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	entries := make([]Entry, 0, len(list))
	taken := map[string]bool{}
	for _, e := range list {
		if entry, ok := p.entry(d, st, e, names, taken); ok {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

// Walk calls visit for each entry of the folder rel in the order of ReadDir, together with all entries of the folder.
// If visit returns true, Walk enters the entry. failed gets the error of an unreadable folder. Walk ends with the first
// error of visit or failed.
func (p *Policy) Walk(ctx context.Context, rel string, visit func(e Entry, beside []Entry) (enter bool, err error),
	failed func(rel string, err error) error) error {
	entries, err := p.ReadDir(rel)
	if err != nil {
		return failed(rel, err)
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		enter, err := visit(e, entries)
		if enter && err == nil {
			err = p.Walk(ctx, e.Path, visit, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *folder) listError(err error) error {
	if d.key == "." && !api.TooManyFiles(err) {
		return fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	return classify(d.key, err)
}

func (p *Policy) entry(d *folder, st *dirState, e fs.DirEntry, names, taken map[string]bool) (Entry, bool) {
	name, ok := Key(e.Name())
	if !ok {
		return Entry{Path: path.Join(d.key, strings.ToValidUTF8(strip(e.Name(), invisible), "?")), Reason: api.SkipPath}, true
	}
	out := Entry{Path: path.Join(d.key, name), Dir: e.IsDir()}
	if name != e.Name() {
		if names[name] || taken[name] { // file systems may allow two names with the same key
			out.Reason = api.SkipPath
			return out, true
		}
		taken[name] = true
	}
	mode := e.Type()
	if mode&fs.ModeIrregular != 0 { // a reparse point on Windows
		if info, err := e.Info(); err == nil {
			mode = kind(info)
		}
	}
	switch {
	case mode&fs.ModeSymlink != 0:
		out.Dir, out.Reason = false, api.SkipSymlink
		return out, true
	case mode.IsDir():
		out.Reason = p.enter(st, out.Path).reason
		return out, true
	case !mode.IsRegular():
		out.Reason = api.SkipSpecial
		return out, true
	}
	out.Reason = p.beforeSize(st, out.Path)
	if out.Reason != api.SkipNone {
		return out, true
	}
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return out, false
	}
	if err != nil {
		out.Reason = api.SkipUnreadable
		return out, true
	}
	if !kind(info).IsRegular() { // replaced since the folder was listed
		out.Reason = api.SkipSymlink
		return out, true
	}
	out.Stamp = stampOf(info)
	if out.Reason, err = p.fromSize(d, st, out.Path, e.Name(), info); out.Reason != api.SkipNone || err != nil {
		return out, out.Reason != api.SkipNone
	}
	out.Corpus = api.CorpusCode
	if p.isDoc(st, out.Path) {
		out.Corpus = api.CorpusDocs
	}
	return out, true
}

// Emptied reports whether an empty root is the folder that contained files before. Otherwise the root may be an
// unmounted file system.
func (p *Policy) Emptied() bool {
	seen := p.seen.Load()
	if seen == nil {
		return false
	}
	info, err := os.Lstat(p.root)
	return err == nil && os.SameFile(*seen, info)
}
