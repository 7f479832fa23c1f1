package policy

import (
	"bytes"
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

// Stamp is what a file's metadata say cheaply about whether it has changed. Inode is 0 where the system gives none.
type Stamp struct {
	Size    int64
	ModTime time.Time
	Inode   uint64
}

// Entry is one thing in a folder.
type Entry struct {
	Path   string // key; for a name that is no key, a printable form of it
	Dir    bool
	Stamp  Stamp      // of files that are not skipped by their path
	Reason api.Reason // why it is skipped, SkipNone if it is indexed or may be descended into
	Corpus api.Corpus // of files
}

// folder is a folder that was reached from the root without passing a symbolic link, held open.
type folder struct {
	p    *Policy
	root *os.Root
	key  string
	disk string // its path below the policy's root as it is on disk, slash-separated
}

// Close gives the folder's handle back.
func (d *folder) Close() { d.root.Close() }

// openRoot opens the policy's root. Anything but a shortage of handles means that the root is not to be had.
func (p *Policy) openRoot() (*folder, error) {
	info, err := os.Lstat(p.root)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: p.root, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	root, err := os.OpenRoot(p.root)
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return nil, fmt.Errorf("open project folder: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	return &folder{p: p, root: root, key: ".", disk: "."}, nil
}

// openDir opens a folder one component at a time. Each is looked at without following links and then opened, and must
// be the same thing: a link that is put in its place between the two is found out, even one that stays inside the
// root.
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

// classify gives an error of the file system the catalogue's form; the cause stays in the tree.
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
	case heldByOther(err):
		err = fmt.Errorf("%w: %w", ErrHeld, err)
	}
	return fmt.Errorf("open %s: %w", key, err)
}

// lstat finds the entry that a key's component means and gives its name on disk. The exact name wins; else the name
// whose NFC form it is. On file systems that ignore case another spelling is not the same file, for rules are about
// spellings (nor is a short 8.3 name on Windows).
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

// names lists the folder. Where every component has to be looked up, the list is kept for as long as the folder's time
// stands.
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

// open opens a regular file of the folder. It is looked at first and compared after, so neither a link nor a pipe that
// takes its place is read.
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

// These never leave the package.
var (
	errSpecial   = errors.New("not a regular file") // neither file, folder nor link
	errElsewhere = errors.New("its content is not on this computer")
)

// read reads at most limit bytes of a small file.
func (d *folder) read(part string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := d.open(part)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, info, err
}

// outcome turns an error of the confined open into a reason. Missing files, a missing root and everything unforeseen
// stay errors; the error behind an unreadable file or a link is returned with the reason.
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

// Stat says whether a file is indexed as far as its metadata tell. The reason decides: with one, the file is skipped
// and err at most explains it (PERMISSION_DENIED, SYMLINK_NOT_ALLOWED). Without one, err says why nothing is known:
// FILE_NOT_FOUND (errors.Is fs.ErrNotExist where the system said so), ErrRootGone, ErrHeld, or an I/O error. A folder
// is ErrFolder. With SkipUnreadable a zero Stamp means that a folder above is closed: not even the file's existence is
// known.
func (p *Policy) Stat(rel string) (Stamp, api.Reason, error) {
	key, ok := keyOf(rel)
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
	stamp := stampOf(info)
	if r := p.fileReason(st, key, info.Size()); r != api.SkipNone {
		return stamp, r, nil
	}
	if elsewhere(info) {
		return stamp, api.SkipOnline, nil
	}
	if err := d.readable(name, info); errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, api.SkipNone, classify(key, err) // it has gone meanwhile
	} else if err != nil {
		return stamp, api.SkipUnreadable, api.ErrPermission(key, err)
	}
	return stamp, api.SkipNone, nil
}

// ErrFolder is Stat's answer for a folder.
var ErrFolder = errors.New("is a folder")

// fileReason applies RFC 5.2's order as far as it goes without opening the file.
func (p *Policy) fileReason(st *dirState, key string, size int64) api.Reason {
	if r := p.beforeSize(st, key); r != api.SkipNone {
		return r
	}
	if size > p.rules.MaxFileSize {
		return api.SkipSize
	}
	return p.afterSize(st, key)
}

// Read reads a file if every rule lets it, with a mark in the place of each secret (package secret): it is the one door
// through which bytes of a person's files reach an index, an answer or a resource. UTF-16 becomes UTF-8. Reason and
// error mean what they mean for Stat; with a reason data is nil. The stamp is from before the first byte was read, so a
// change during reading is seen by the next comparison.
//
// The order is RFC 5.2's, with one exception that changes no outcome: a file that config.include leaves out is not
// opened to learn whether it is binary as well.
func (p *Policy) Read(rel string) ([]byte, Stamp, api.Reason, error) {
	r := p.Reader()
	defer r.Close()
	return r.read(rel, nil, nil)
}

// Reader reads many files of a policy. It keeps the last file's folder open with those above it, since opening them
// takes longer than reading a file. It is for one goroutine and for one pass over the files: a folder that is replaced
// meanwhile is read as it was.
type Reader struct {
	p    *Policy
	open []*folder // from the root down
}

// Reader returns a reader of the policy's files.
func (p *Policy) Reader() *Reader { return &Reader{p: p} }

// Close closes the folders.
func (r *Reader) Close() { r.leave(0) }

// leave closes the folders from a depth on.
func (r *Reader) leave(depth int) {
	for _, d := range r.open[depth:] {
		d.Close()
	}
	r.open = r.open[:depth]
}

// folder opens a folder by way of the open ones (Policy.openDir).
func (r *Reader) folder(key string) (*folder, error) {
	depth := len(r.open)
	for depth > 1 && key != r.open[depth-1].key && !strings.HasPrefix(key, r.open[depth-1].key+"/") {
		depth--
	}
	r.leave(depth)
	if depth == 0 {
		d, err := r.p.openRoot()
		if err != nil {
			return nil, err
		}
		r.open = append(r.open, d)
	}
	d := r.open[len(r.open)-1]
	if key == d.key {
		return d, nil
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(key, strings.TrimPrefix(d.key+"/", "./")), "/") {
		next, err := d.step(part)
		if err != nil {
			return nil, err
		}
		r.open = append(r.open, next)
		d = next
	}
	return d, nil
}

// ReadIf reads a file as Policy.Read does, but returns nil for one whose bytes want refuses. want is asked before
// secrets are looked for, which takes longer than a search for a word, and must keep nothing of the bytes.
func (r *Reader) ReadIf(rel string, want func(raw []byte) bool) ([]byte, Stamp, api.Reason, error) {
	return r.read(rel, nil, want)
}

// Text makes text of a file's bytes, in UTF-8; ok is false where it can't.
type Text func(data []byte) (text []byte, ok bool)

// ReadAs reads a file as Read does, but one that its name or content tells to be binary is no reason to skip it: text
// gets its bytes, and secrets are looked for in what it makes of them. With a nil text it is Read.
func (p *Policy) ReadAs(rel string, text Text) ([]byte, Stamp, api.Reason, error) {
	r := p.Reader()
	defer r.Close()
	return r.read(rel, text, nil)
}

func (r *Reader) read(rel string, text Text, want func(raw []byte) bool) ([]byte, Stamp, api.Reason, error) {
	p := r.p
	key, ok := keyOf(rel)
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
	data, reason, err := p.content(f, info.Size(), key, text, want)
	if heldByOther(err) {
		err = fmt.Errorf("%w: %w", ErrHeld, err)
	}
	if err != nil {
		return nil, stampOf(info), api.SkipUnreadable, fmt.Errorf("read %s: %w", key, err)
	}
	return data, stampOf(info), reason, nil
}

// content reads an open file: head, size, rest, encoding, secrets. Secrets are ASCII, so nobody would find them in
// UTF-16.
func (p *Policy) content(f io.Reader, size int64, key string, text Text,
	want func(raw []byte) bool) ([]byte, api.Reason, error) {
	limit := p.rules.MaxFileSize
	data := make([]byte, min(size, headSize))
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "", err
	}
	data = data[:n]
	order := utf16Order(data)
	if text == nil && order == nil && binaryHead(data) {
		return nil, api.SkipBinary, nil
	}
	if size > limit {
		return nil, api.SkipSize, nil
	}
	buf := slices.Grow(data, int(size)-n+1)
	for { // the file may have grown since; one byte over the limit is enough to know
		if int64(len(buf)) > limit {
			return nil, api.SkipSize, nil
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, headSize)
		}
		room := min(int64(cap(buf)-len(buf)), limit+1-int64(len(buf)))
		n, err := f.Read(buf[len(buf) : len(buf)+int(room)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, "", err
		}
	}
	if text == nil {
		if order = utf16Order(buf); order != nil { // again: the head may have been a shorter file's
			text = func(data []byte) ([]byte, bool) { return decodeUTF16(data, order) }
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
		// behind its head it turns into UTF-16, in which no rule finds a secret and no search a word
		buf = bytes.ReplaceAll(buf, []byte{0}, nil)
	}
	if want != nil && !want(buf) {
		return nil, api.SkipNone, nil
	}
	buf, reason := p.withoutSecrets(key, buf)
	return buf, reason, nil
}

// ReadDir lists a folder under the rules, sorted by path: files as Stat would judge them, folders as Dir would before
// their own rules are read. The folder's own ignore files are read anew. What vanishes while it is listed is left out.
func (p *Policy) ReadDir(rel string) ([]Entry, error) {
	key, ok := keyOf(rel)
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
	// Found out afresh even if known: the folder may be another one than before, with other ignore files.
	st := p.findOut(p.cache.Load(), key, d, names)
	if st.reason != api.SkipNone {
		return nil, api.New(api.FileNotIndexable, "This folder is not indexed.", fmt.Sprintf("%s: %s", key, st.reason), nil)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	entries := make([]Entry, 0, len(list))
	taken := map[string]bool{} // NFC forms of names that are in another form
	for _, e := range list {
		if entry, ok := p.entry(d, st, e, names, taken); ok {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

func (d *folder) listError(err error) error {
	if d.key == "." && !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return fmt.Errorf("%w: %w", ErrRootGone, err)
	}
	return classify(d.key, err)
}

// entry judges one name of a listed folder.
func (p *Policy) entry(d *folder, st *dirState, e fs.DirEntry, names, taken map[string]bool) (Entry, bool) {
	name, ok := keyOf(e.Name())
	if !ok {
		return Entry{Path: path.Join(d.key, strings.ToValidUTF8(strip(e.Name(), invisible), "?")), Reason: api.SkipPath}, true
	}
	out := Entry{Path: path.Join(d.key, name), Dir: e.IsDir()}
	if name != e.Name() {
		if names[name] || taken[name] { // two names, one key: the other one has it
			out.Reason = api.SkipPath
			return out, true
		}
		taken[name] = true
	}
	mode := e.Type()
	if mode&fs.ModeIrregular != 0 { // only then is the answer worth a system call; Windows has it at hand
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
	if !kind(info).IsRegular() { // swapped since it was listed
		out.Reason = api.SkipSymlink
		return out, true
	}
	out.Stamp = stampOf(info)
	if out.Stamp.Size > p.rules.MaxFileSize {
		out.Reason = api.SkipSize
		return out, true
	}
	if out.Reason = p.afterSize(st, out.Path); out.Reason != api.SkipNone {
		return out, true
	}
	if elsewhere(info) {
		out.Reason = api.SkipOnline
		return out, true
	}
	if err := d.readable(e.Name(), info); errors.Is(err, fs.ErrNotExist) {
		return out, false
	} else if err != nil {
		out.Reason = api.SkipUnreadable
		return out, true
	}
	out.Corpus = api.CorpusCode
	if p.isDoc(st, out.Path) {
		out.Corpus = api.CorpusDocs
	}
	return out, true
}

// Emptied reports whether the root is empty but is the very folder that had something in it before: its content was
// deleted. An empty folder that is another one is a mount point without its file system.
func (p *Policy) Emptied() bool {
	seen := p.seen.Load()
	if seen == nil {
		return false
	}
	info, err := os.Lstat(p.root)
	return err == nil && os.SameFile(*seen, info)
}
