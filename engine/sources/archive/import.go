package archive

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/fulltext"
	"searchmcp/engine/sources/markup"
)

const (
	batch   = 200         // files per transaction; a larger number would make searches wait longer
	commit  = time.Second // interval of commits; a cancelled import keeps the committed documents
	maxFile = 64 << 20    // in bytes; a book contains images
)

// extraction is the version of the extracted fields. A new version causes the next import to read every file again.
const extraction = "archive 5\n"

// Import adds the documents of a folder to the archive at db, which it creates if necessary. A later import updates
// changed documents and removes deleted ones. A cancelled import keeps the committed documents.
func Import(ctx context.Context, db, dir string, r markup.Reader,
	progress func(done, total int)) (api.ArchiveReport, error) {
	c := api.DefaultConfig()
	c.RespectGitignore, c.MaxFileSize = false, maxFile
	p, err := policy.New(dir, c)
	if err != nil {
		return api.ArchiveReport{}, fmt.Errorf("import folder: %w", err)
	}
	im := importer{policy: p, reader: r, dir: dir, base: filepath.Base(dir), seen: map[string]bool{},
		report: api.ArchiveReport{Folder: dir, Archive: db}}
	files, err := im.list(ctx)
	if err != nil {
		return api.ArchiveReport{}, fmt.Errorf("import folder: %w", err)
	}
	conn, err := openWrite(ctx, db)
	if err != nil {
		return api.ArchiveReport{}, err
	}
	defer conn.Close()
	if err := im.origins(ctx, conn); err != nil {
		return api.ArchiveReport{}, err
	}
	im.bibliography(files)
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(0, len(files))
	for at := 0; at < len(files); {
		n := 0
		err := inTransaction(context.WithoutCancel(ctx), conn, func(tx *sql.Tx) (err error) {
			n, err = im.files(ctx, tx, files[at:min(len(files), at+batch)])
			return err
		})
		if err != nil {
			return im.report, fmt.Errorf("import documents: %w", err)
		}
		at += n
		progress(at, len(files))
		if err := ctx.Err(); err != nil {
			return im.report, fmt.Errorf("import documents: %w", err)
		}
	}
	if err := inTransaction(ctx, conn, func(tx *sql.Tx) error { return im.finish(ctx, tx) }); err != nil {
		return im.report, fmt.Errorf("import citations: %w", err)
	}
	return im.report, nil
}

type importer struct {
	policy *policy.Policy
	reader markup.Reader
	dir    string
	base   string
	seen   map[string]bool   // stored documents to keep: the file exists or can't be read
	keys   map[string]string // document addresses by citation key, from .bib files
	parts  []string
	closed []string // unreadable folders, with a final slash
	report api.ArchiveReport
}

func (im *importer) list(ctx context.Context) (files []string, err error) {
	err = im.policy.Walk(ctx, ".", func(e policy.Entry, beside []policy.Entry) (enter bool, err error) {
		_, document := markup.FormatOf(e.Path)
		base := path.Base(e.Path)
		switch ext := strings.ToLower(path.Ext(e.Path)); {
		case e.Dir && e.Reason == api.SkipNone && partsOfPage(base, beside):
			im.leaveOut(e.Path, "it contains the parts of a saved page")
		case e.Dir && e.Reason == api.SkipNone:
			return true, nil
		case unsupported[ext] || strings.HasSuffix(strings.ToLower(base), ".warc.gz"):
			im.leaveOut(e.Path, "files of that kind are not read; save the page as HTML or its text as Markdown")
		case !e.Dir && !document && !isPDF(e.Path) && ext != ".bib":
		case e.Reason != api.SkipNone && (!isPDF(e.Path) || e.Reason != api.SkipBinary):
			im.leaveOut(e.Path, e.Reason.InWords())
		default:
			files = append(files, e.Path)
		}
		return false, nil
	}, func(rel string, err error) error {
		if rel == "." || ctx.Err() != nil {
			return err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			im.closed = append(im.closed, im.base+"/"+rel+"/")
			im.leaveOut(rel, api.SkipUnreadable.InWords())
		}
		return nil
	})
	return files, err
}

// unsupported lists the extensions of documents that an import skips and reports.
var unsupported = map[string]bool{".epub": true, ".docx": true, ".odt": true, ".mhtml": true, ".mht": true,
	".webarchive": true, ".warc": true}

// partsOfPage reports whether name is the folder that a browser saves next to a page, with its images and styles.
func partsOfPage(name string, beside []policy.Entry) bool {
	stem, found := "", false
	for _, end := range []string{"_files", ".files", "-Dateien", "_fichiers", "_archivos"} {
		if stem, found = strings.CutSuffix(name, end); found {
			break
		}
	}
	return found && slices.ContainsFunc(beside, func(e policy.Entry) bool {
		base := path.Base(e.Path)
		return !e.Dir && (base == stem+".html" || base == stem+".htm")
	})
}

func (im *importer) leaveOut(rel, why string) {
	im.report.Skipped = append(im.report.Skipped, rel+": "+why)
}

func (im *importer) files(ctx context.Context, tx *sql.Tx, files []string) (n int, err error) {
	began := time.Now()
	for n < len(files) && (n == 0 || time.Since(began) < commit && ctx.Err() == nil) {
		err := im.file(ctx, tx, files[n])
		switch {
		case errors.Is(err, errCancelled):
			return n, nil
		case err != nil:
			return n, fmt.Errorf("%s: %w", files[n], err)
		}
		n++
	}
	return n, nil
}

var errCancelled = errors.New("import cancelled")

func (im *importer) file(reading context.Context, tx *sql.Tx, rel string) error {
	ctx := context.WithoutCancel(reading)
	if isPDF(rel) {
		return im.paper(reading, tx, rel)
	}
	name := im.base + "/" + rel
	data, stamp, reason, err := im.policy.Read(rel)
	if reason == api.SkipUnreadable {
		im.seen[name] = true // the file exists, so keep the stored document
	}
	if err != nil || reason != api.SkipNone {
		im.leaveOut(rel, reason.InWords())
		return nil
	}
	im.seen[name] = true
	hash := hashOf(data)
	old, known, err := storedHash(ctx, tx, documentID(im.dir, rel))
	if err != nil {
		return err
	}
	if known && old == hash {
		im.report.Unchanged++
		return nil
	}
	d := im.parseFile(reading, rel, data)
	if reading.Err() != nil {
		return errCancelled
	}
	return im.put(ctx, tx, rel, known, hash, d, im.fileKeys(rel), stamp.ModTime)
}

func hashOf(data []byte) string {
	h := sha256.New()
	h.Write([]byte(extraction))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func stampHash(s policy.Stamp) string {
	return hashOf([]byte(fmt.Sprintf("%d bytes of %d", s.Size, s.ModTime.UnixNano())))
}

func storedHash(ctx context.Context, tx *sql.Tx, id string) (hash string, known bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT hash FROM documents WHERE id = ?", id).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return hash, err == nil, err
}

func documentID(dir, rel string) string {
	sum := sha256.Sum256([]byte(dir + "\x00" + rel))
	return "doc-" + hex.EncodeToString(sum[:6])
}

var dated = regexp.MustCompile(`(?:^|[/_. -])(\d{4}-\d{2}-\d{2})(?:$|[/_. -])`)

func dateOf(d markup.Document, rel string, modified time.Time) string {
	if d.Date != "" {
		return d.Date
	}
	if all := dated.FindAllStringSubmatch(rel, -1); len(all) > 0 {
		last := all[len(all)-1][1]
		if _, err := time.Parse(time.DateOnly, last); err == nil {
			return last
		}
	}
	return modified.UTC().Format(time.DateOnly)
}

func (im *importer) put(ctx context.Context, tx *sql.Tx, rel string, known bool, hash string, d markup.Document,
	keys []string, modified time.Time) error {
	if d.Cut {
		im.leaveOut(rel, "its end, for it has more text, or more different words, than any book")
	}
	if d.Again {
		hash = ""
	}
	id, source := documentID(im.dir, rel), "research"
	if known {
		im.report.Updated++
	} else {
		im.report.Added++
	}
	if d.Source != "" {
		source, keys = "url", append(keys, webKey(d.Source))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO documents (id, origin, path, title, source, url, date, content, hash)
		VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, path = excluded.path,
		title = excluded.title, source = excluded.source, url = excluded.url, date = excluded.date,
		content = excluded.content, hash = excluded.hash`,
		id, im.dir, im.base+"/"+rel, fulltext.Visible(d.Title), source, d.Source, dateOf(d, rel, modified),
		fulltext.Visible(content(d)), hash)
	if err != nil {
		return err
	}
	for _, q := range []string{"DELETE FROM addresses WHERE document = ?", "DELETE FROM citations WHERE source_id = ?"} {
		if _, err := tx.ExecContext(ctx, q, id); err != nil {
			return err
		}
	}
	for _, key := range keys {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO addresses (key, document) VALUES (?,?)", key,
			id); err != nil {
			return err
		}
	}
	for i, l := range d.Links {
		t, ok := im.target(rel, d.Source, l)
		if !ok || slices.Contains(keys, t.key) {
			continue // not a citation, or a link to the same document
		}
		_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO citations (source_id, target_key, target_url, context, confidence, position)
			VALUES (?,?,?,?,?,?)`, id, t.key, t.url, l.Context, t.confidence, i)
		if err != nil {
			return err
		}
	}
	return nil
}

func content(d markup.Document) string {
	if rest, ok := strings.CutPrefix(d.Plain, d.Title); ok && (rest == "" || rest[0] == '\n') {
		return strings.TrimLeft(rest, "\n")
	}
	return d.Plain
}

type target struct {
	key, url   string
	confidence float64
}

// Confidence in [0,1] that a link is a citation.
const (
	setLink     = 1.0 // a full address, wiki name or key
	relative    = 0.9 // a relative link
	bareAddress = 0.8 // an address in the text
)

// target resolves a link of a document. Links within the page, mail addresses and scripts are not citations.
func (im *importer) target(rel, source string, l markup.Link) (target, bool) {
	switch l.Kind {
	case markup.Wiki:
		return target{im.wikiKey(l.URL), "[[" + l.URL + "]]", setLink}, true
	case markup.Key:
		if to := im.keys[l.URL]; to != "" {
			return target{webKey(to), to, setLink}, true
		}
		return target{im.citeKey(l.URL), "@" + l.URL, relative}, true
	}
	u, err := url.Parse(l.URL)
	if err != nil {
		return target{}, false
	}
	switch {
	case markup.IsWebURL(l.URL):
		t := target{webKey(l.URL), l.URL, setLink}
		if l.Text == l.URL {
			t.confidence = bareAddress
		}
		return t, true
	case u.Scheme != "" || u.Host != "" || u.Path == "":
		return target{}, false
	case source != "":
		base, err := url.Parse(source)
		if err != nil {
			return target{}, false
		}
		full := base.ResolveReference(u).String()
		return target{webKey(full), full, setLink}, true
	}
	file := path.Join(path.Dir(rel), u.Path)
	if strings.HasPrefix(u.Path, "/") {
		file = strings.TrimPrefix(path.Clean(u.Path), "/")
	}
	if file == ".." || strings.HasPrefix(file, "../") {
		return target{}, false
	}
	return target{fileKey(im.dir, file), l.URL, relative}, true
}

// fileKeys returns the addresses by which links may refer to a file: its path with and without the extension, its
// wiki name and its citation key. An index page also has its folder's path.
func (im *importer) fileKeys(rel string) []string {
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	keys := []string{fileKey(im.dir, rel), fileKey(im.dir, stem), im.wikiKey(path.Base(stem)), im.wikiKey(stem),
		im.citeKey(path.Base(stem))}
	if base := path.Base(stem); strings.EqualFold(base, "index") || strings.EqualFold(base, "readme") {
		keys = append(keys, fileKey(im.dir, strings.TrimPrefix(path.Dir(stem), ".")))
	}
	return keys
}

func fileKey(dir, rel string) string { return "file:" + filepath.ToSlash(dir) + "/" + rel }

// webKey returns a URL without protocol, "www.", fragment, trailing slash and campaign parameters.
func webKey(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "web:" + s
	}
	host := strings.TrimPrefix(strings.ToLower(u.Host), "www.")
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	key := "web:" + host + strings.TrimRight(u.EscapedPath(), "/")
	q := u.Query()
	for k := range q {
		if strings.HasPrefix(k, "utm_") || k == "fbclid" || k == "gclid" {
			q.Del(k)
		}
	}
	if len(q) > 0 {
		key += "?" + q.Encode()
	}
	return key
}

func (im *importer) finish(ctx context.Context, tx *sql.Tx) error {
	documents, err := collect(ctx, tx, both[string, string],
		"SELECT id, path FROM documents WHERE origin = ?", im.dir)
	if err != nil {
		return err
	}
	for _, d := range documents {
		below := func(dir string) bool { return strings.HasPrefix(d.b, dir) }
		if im.seen[d.b] || slices.ContainsFunc(im.closed, below) { // the file exists or can't be read
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", d.a); err != nil {
			return err
		}
		im.report.Removed++
	}
	for _, part := range im.parts {
		if _, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE origin = ?", part); err != nil {
			return err
		}
	}
	for _, q := range []string{
		`UPDATE citations SET target_id = (SELECT min(document) FROM addresses WHERE key = target_key)
			WHERE target_id IS NOT (SELECT min(document) FROM addresses WHERE key = target_key)`,
		"DELETE FROM citations WHERE target_id = source_id",
		// Delete duplicate citations, which wrote the same address differently.
		`DELETE FROM citations AS c WHERE target_id IS NOT NULL AND EXISTS (SELECT 1 FROM citations AS d
			WHERE d.source_id = c.source_id AND d.target_id = c.target_id AND d.position < c.position)`,
	} {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM documents WHERE origin = ?",
		im.dir).Scan(&im.report.Documents); err != nil {
		return err
	}
	return tx.QueryRowContext(ctx, `SELECT count(*), count(target_id) FROM citations
		WHERE source_id IN (SELECT id FROM documents WHERE origin = ?)`, im.dir).Scan(&im.report.Citations, &im.report.Resolved)
}
