package docs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/fulltext"
	"searchmcp/engine/sources/markup"
)

const Scheme = "docs://"

// MaxDocuments is the maximum number of documents in a folder.
const MaxDocuments = 20_000

// URI returns the address of the document with the given key. prefix is "" or "@name/", and distinguishes the folders
// of a session.
func URI(prefix, key string) string {
	parts := strings.Split(prefix+key, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return Scheme + strings.Join(parts, "/")
}

type entry struct {
	api.Document // Name is the path relative to the folder
	stamp        policy.Stamp
	parsed       *markup.Document // cached document, or nil if each search parses it again
}

// Folder is a folder of documents. It is safe for concurrent use.
type Folder struct {
	policy *policy.Policy
	reader markup.Reader
	limit  int

	scanning sync.Mutex

	mu      sync.RWMutex
	entries map[string]entry
	words   *fulltext.Index // full-text index, or nil if it was freed
	used    time.Time
	scanned time.Time // end of the last scan, zero before the first scan
	dirty   bool
	skipped int            // number of documents beyond MaxDocuments
	left    []policy.Entry // skipped files and folders
}

// MaxFile is the maximum size of a document, in bytes. A manual in a single file can be as large as 8 MB.
const MaxFile = 16 << 20

// longFile is the size in bytes above which a parsed document stays in memory. Parsing 256 KB takes 0.1 seconds.
const longFile = 256 << 10

const (
	fieldTitle = iota
	fieldContent
)

func newWords() *fulltext.Index { return fulltext.New(0.45, 0.55) }

func Open(p *policy.Policy, r markup.Reader) *Folder {
	return &Folder{policy: p, reader: r, limit: MaxDocuments, entries: map[string]entry{}, words: newWords(),
		used: time.Now()}
}

func (f *Folder) Policy() *policy.Policy { return f.policy }

func Supported(name string) bool {
	return slices.Contains([]string{".md", ".html", ".txt"}, strings.ToLower(path.Ext(name)))
}

var otherFormats = strings.Fields(
	".markdown .mdx .htm .xhtml .rst .adoc .asciidoc .org .textile .tex .rtf .pdf .epub .doc .docx .odt .ppt .pptx .odp")

func otherFormat(name string) bool {
	return slices.Contains(otherFormats, strings.ToLower(path.Ext(name)))
}

func locked[T any](f *Folder, read func() T) T {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return read()
}

func (f *Folder) Touch() {
	f.mu.Lock()
	f.dirty = true
	f.mu.Unlock()
}

func (f *Folder) ScannedWithin(age time.Duration) bool {
	return locked(f, func() bool { return !f.scanned.IsZero() && !f.dirty && time.Since(f.scanned) < age })
}

func (f *Folder) Scanned() bool { return locked(f, func() bool { return !f.scanned.IsZero() }) }

func (f *Folder) Skipped() int { return locked(f, func() int { return f.skipped }) }

// LeftOut returns the skipped files and folders. The caller must not change them.
func (f *Folder) LeftOut() []policy.Entry { return locked(f, func() []policy.Entry { return f.left }) }

func (f *Folder) Len() int { return locked(f, func() int { return len(f.entries) }) }

// Any reports whether the folder contains a document.
func (f *Folder) Any(ctx context.Context) bool {
	if f.Scanned() {
		return f.Len() > 0
	}
	found := false
	err := f.walk(ctx, func(policy.Entry) error { found = true; return fs.SkipAll }, func(policy.Entry) {})
	return found && (err == nil || errors.Is(err, fs.SkipAll))
}

// walk calls visit for each document that the policy allows, and skip for each skipped file or folder.
func (f *Folder) walk(ctx context.Context, visit func(policy.Entry) error, skip func(policy.Entry)) error {
	return f.policy.Walk(ctx, ".", func(e policy.Entry, _ []policy.Entry) (enter bool, err error) {
		switch document := Supported(e.Path); {
		case e.Reason != api.SkipNone && (e.Dir || document || otherFormat(e.Path)):
			skip(e)
		case e.Reason == api.SkipNone && e.Dir:
			return true, nil
		case e.Reason == api.SkipNone && document:
			return false, visit(e)
		case otherFormat(e.Path):
			e.Reason = api.SkipFormat
			skip(e)
		}
		return false, nil
	}, func(rel string, err error) error {
		if rel == "." {
			return err
		}
		return ctx.Err()
	})
}

// Scan reads new and changed files, and updates the list of documents. changed is false for the first scan. If the
// folder is gone, Scan keeps the list and returns an error.
func (f *Folder) Scan(ctx context.Context) (changed bool, err error) {
	f.scanning.Lock()
	defer f.scanning.Unlock()
	f.mu.Lock()
	first := f.scanned.IsZero()
	f.dirty = false
	f.mu.Unlock()
	seen := map[string]bool{}
	skipped := 0
	var left []policy.Entry
	err = f.walk(ctx, func(e policy.Entry) error {
		if len(seen) >= f.limit {
			skipped++
			return nil
		}
		seen[e.Path] = true
		if old := f.entry(e.Path); old.Name != "" && same(old.stamp, e.Stamp) {
			return nil
		}
		reason := f.read(ctx, e.Path)
		if err := ctx.Err(); err != nil {
			return err
		}
		if reason == api.SkipNone {
			changed = true
		} else {
			delete(seen, e.Path)
			e.Reason = reason
			left = append(left, e)
		}
		return nil
	}, func(e policy.Entry) { left = append(left, e) })
	if err != nil {
		f.Touch()
		return changed, fmt.Errorf("scan documents: %w", err)
	}
	if words := locked(f, func() *fulltext.Index { return f.words }); changed && words != nil {
		words.Prepare()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.entries {
		if !seen[key] {
			delete(f.entries, key)
			if f.words != nil {
				f.words.Remove(key)
			}
			changed = true
		}
	}
	f.scanned, f.skipped, f.left = time.Now(), skipped, left
	return changed && !first, nil
}

func (f *Folder) entry(key string) entry { return locked(f, func() entry { return f.entries[key] }) }

func same(a, b policy.Stamp) bool {
	// A second change at the same modification time usually changes the size.
	return a.Size == b.Size && a.ModTime.Equal(b.ModTime) && a.Inode == b.Inode
}

func (f *Folder) read(ctx context.Context, key string) api.Reason {
	data, stamp, reason, err := f.policy.Read(key)
	if err != nil && reason == api.SkipNone {
		reason = api.SkipUnreadable
	}
	if reason != api.SkipNone {
		return reason
	}
	d := f.reader.Parse(ctx, key, data)
	if ctx.Err() != nil {
		return api.SkipNone
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if d.Again {
		stamp = policy.Stamp{}
	}
	e := entry{stamp: stamp, Document: api.Document{
		Name: key, Title: d.Title, Description: d.Description, Tags: d.Tags, MIMEType: mimeType(d.Format),
	}}
	if f.words != nil {
		f.words.Put(key, d.Title, searched(d))
		e.parsed = kept(d, len(data))
	}
	f.entries[key] = e
	return api.SkipNone
}

func kept(d markup.Document, size int) *markup.Document {
	if size < longFile {
		return nil
	}
	return &markup.Document{
		Format: d.Format, Title: d.Title, Description: d.Description, Tags: d.Tags, Plain: d.Plain, Headings: d.Headings,
	}
}

func (f *Folder) Unload(since time.Time) {
	if !f.scanning.TryLock() {
		return
	}
	defer f.scanning.Unlock()
	f.mu.Lock()
	if f.used.Before(since) && !f.scanned.IsZero() {
		f.words = nil
		for key, e := range f.entries {
			e.parsed = nil
			f.entries[key] = e
		}
	}
	f.mu.Unlock()
}

func (f *Folder) searchable(ctx context.Context) (*fulltext.Index, error) {
	if words := f.cachedWords(); words != nil {
		return words, nil
	}
	f.scanning.Lock()
	defer f.scanning.Unlock()
	if words := f.cachedWords(); words != nil {
		return words, nil
	}
	words := newWords()
	for _, d := range f.List() {
		data, stamp, reason, err := f.policy.Read(d.Name)
		if err != nil || reason != api.SkipNone {
			continue
		}
		parsed := f.reader.Parse(ctx, d.Name, data)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		words.Put(d.Name, parsed.Title, searched(parsed))
		f.mu.Lock()
		if e, known := f.entries[d.Name]; known && e.parsed == nil && same(e.stamp, stamp) {
			e.parsed = kept(parsed, len(data))
			f.entries[d.Name] = e
		}
		f.mu.Unlock()
	}
	f.mu.Lock()
	f.words = words
	f.mu.Unlock()
	return words, nil
}

func (f *Folder) cachedWords() *fulltext.Index {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used = time.Now()
	return f.words
}

func searched(d markup.Document) string {
	text := d.Plain
	if desc := strings.TrimSuffix(d.Description, "..."); !strings.Contains(strings.Join(strings.Fields(text), " "), desc) {
		text = d.Description + "\n\n" + text
	}
	if len(d.Tags) > 0 {
		text += "\n\n" + strings.Join(d.Tags, " ")
	}
	return text
}

func mimeType(f markup.Format) string {
	if f == markup.Text {
		return "text/plain"
	}
	return "text/markdown"
}

// List returns the documents, sorted by path. Their field URI is not set.
func (f *Folder) List() []api.Document {
	f.mu.RLock()
	defer f.mu.RUnlock()
	out := make([]api.Document, 0, len(f.entries))
	for _, name := range slices.Sorted(maps.Keys(f.entries)) {
		out = append(out, f.entries[name].Document)
	}
	return out
}

// Read returns a document's content or, if section is not "", the section with that anchor. Known errors are of type
// *api.Error.
func (f *Folder) Read(ctx context.Context, key, section string) (text, mime string, err error) {
	clean, ok := policy.Key(key)
	if !ok || clean != key || key == "." {
		return "", "", api.New(api.PermissionDenied, "That address is outside the document folder or not a valid path.",
			"not a path below the folder", nil)
	}
	if !Supported(key) {
		return "", "", api.ErrFileNotFound(key)
	}
	data, _, reason, err := f.policy.Read(key)
	var known *api.Error
	switch {
	case errors.As(err, &known):
		return "", "", known
	case err != nil:
		return "", "", fmt.Errorf("read document: %w", err)
	case reason == api.SkipSymlink:
		return "", "", api.ErrSymlink(key)
	case reason != api.SkipNone:
		return "", "", api.New(api.FileNotIndexable, fmt.Sprintf("The document '%s' is not served: %s.", key,
			reason.InWords()), "skipped by rule "+string(reason), nil)
	}
	if section == "" {
		format, _ := markup.FormatOf(key)
		return f.reader.Content(ctx, key, data), mimeType(format), nil
	}
	d := f.reader.Parse(ctx, key, data)
	if text, found := d.Section(section); found {
		return text, mimeType(d.Format), nil
	}
	return "", "", api.New(api.FileNotFound, fmt.Sprintf("The document '%s' has no section '%s'.", key, section),
		"no such heading", nil)
}

// Find returns the key of a document from its name in a URI. It ignores case if necessary, because some clients convert
// "docs://Name" to lower case.
func (f *Folder) Find(name string) string {
	keys := locked(f, func() []string { return slices.Collect(maps.Keys(f.entries)) })
	same := slices.DeleteFunc(keys, func(key string) bool { return !strings.EqualFold(key, name) })
	if len(same) == 1 {
		return same[0]
	}
	return name
}
