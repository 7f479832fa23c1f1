package sources

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/sources/docs"
)

func (s *Sources) DocumentFolders() []string {
	var out []string
	for _, path := range s.opt.Added() {
		if root, err := scan.CanonicalRoot(path); err == nil && !policy.IsTooBroad(root) {
			out = append(out, root)
		}
	}
	return out
}

func (s *Sources) AddDocumentFolder(dir string) error {
	root, err := s.opt.Projects.Canonical(dir)
	if err != nil {
		return err
	}
	if policy.IsTooBroad(root) {
		return api.ErrArgument("dir", "a folder of documents, not a home folder or a whole disk")
	}
	s.addedMu.Lock()
	defer s.addedMu.Unlock()
	paths := s.opt.Added()
	if slices.Contains(paths, root) || slices.Contains(s.DocumentFolders(), root) {
		return api.New(api.InvalidArgument, fmt.Sprintf("The folder '%s' is already being served.", root),
			"the folder was added before", nil)
	}
	return s.opt.SetAdded(append(paths, root))
}

func (s *Sources) RemoveDocumentFolder(dir string) error {
	s.addedMu.Lock()
	defer s.addedMu.Unlock()
	paths := s.opt.Added()
	left := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		root, err := scan.CanonicalRoot(path)
		return path == dir || err == nil && root == dir
	})
	if len(left) == len(paths) {
		return api.New(api.InvalidArgument, fmt.Sprintf("The folder '%s' was not added.", dir),
			"no such folder in documentFolders", nil)
	}
	return s.opt.SetAdded(left)
}

func (s *Sources) DocumentSources(folders []api.DocumentFolder) []api.DocumentSource {
	added := s.DocumentFolders()
	out := []api.DocumentSource{}
	known := map[string]bool{}
	count := func(at api.DocumentFolder, origin string) {
		known[at.Root] = true
		d := api.DocumentSource{DocumentFolder: at, Origin: origin}
		s.countDocuments(&d)
		out = append(out, d)
	}
	for _, at := range folders {
		if slices.Contains(added, at.Root) {
			count(at, api.OriginAdded)
		} else if _, indexed := s.opt.Projects.Lookup(at.Root); indexed {
			count(at, api.OriginProject)
		} else {
			count(at, api.OriginSession)
		}
	}
	for _, p := range s.opt.Projects.Projects() {
		for _, r := range p.Roots {
			if p.Files > 0 && !known[r.Path] && !slices.Contains(added, r.Path) {
				count(api.DocumentFolder{Root: r.Path}, api.OriginProject)
			}
		}
	}
	for _, path := range s.opt.Added() {
		d := api.DocumentSource{DocumentFolder: api.DocumentFolder{Root: path}, Origin: api.OriginAdded}
		root, err := scan.CanonicalRoot(path)
		switch {
		case err != nil:
			d.Problem = "The folder can't be found."
		case policy.IsTooBroad(root):
			d.Problem = "This is a home folder or a whole disk, not a folder of documents."
		case known[root]:
			continue
		default:
			d.Root = root
			s.countDocuments(&d)
		}
		out = append(out, d)
	}
	return out
}

func (s *Sources) countDocuments(d *api.DocumentSource) {
	f, err := s.open(d.Root)
	if err != nil {
		d.Problem = "The folder can't be read."
		return
	}
	for _, l := range f.LeftOut() {
		d.LeftOut = append(d.LeftOut, skippedName(l)+": "+l.Reason.InWords())
	}
	if n := f.Skipped(); n > 0 {
		d.Problem = fmt.Sprintf("%d more are not served: a folder can have at most %d documents.", n, docs.MaxDocuments)
	}
	if d.Documents = f.Len(); !f.Scanned() {
		d.Reading = true
		jobs.Offer(s.touch, d.Root) // if the queue is full, the next use scans the folder
	}
}

func (s *Sources) HasDocuments(ctx context.Context, folders []api.DocumentFolder) bool {
	found := false
	for _, at := range folders {
		f, err := s.open(at.Root)
		if err != nil || !f.Any(ctx) {
			continue
		}
		found = true
		if !f.ScannedWithin(searchMaxAge) {
			jobs.Offer(s.touch, at.Root)
		}
	}
	return found
}

func (s *Sources) Documents(ctx context.Context, folders []api.DocumentFolder) ([]api.Document, error) {
	var out []api.Document
	for _, at := range folders {
		f, err := s.current(ctx, at.Root, listMaxAge)
		if err != nil {
			return nil, err
		}
		for _, d := range f.List() {
			d.URI, d.Name = docs.URI(at.Prefix, d.Name), at.Prefix+d.Name
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b api.Document) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (s *Sources) ReadDocument(ctx context.Context, folders []api.DocumentFolder,
	name, section string) (api.DocumentText, error) {
	at, key, ok := folderOfDocument(folders, name)
	if !ok {
		return api.DocumentText{}, api.ErrFileNotFound(name)
	}
	f, err := s.current(ctx, at.Root, listMaxAge)
	if err != nil {
		return api.DocumentText{}, err
	}
	key = f.Find(key)
	text, mime, err := f.Read(ctx, key, section)
	if err != nil {
		return api.DocumentText{}, err
	}
	return api.DocumentText{MIMEType: mime, Text: text}, nil
}

func folderOfDocument(folders []api.DocumentFolder, name string) (api.DocumentFolder, string, bool) {
	i := slices.IndexFunc(folders, func(at api.DocumentFolder) bool {
		return at.Prefix != "" && len(name) > len(at.Prefix) && strings.EqualFold(name[:len(at.Prefix)], at.Prefix)
	})
	if i < 0 {
		i = slices.IndexFunc(folders, func(at api.DocumentFolder) bool { return at.Prefix == "" })
	}
	if i < 0 {
		return api.DocumentFolder{}, "", false
	}
	return folders[i], name[len(folders[i].Prefix):], true
}

// searchMaxAge is the maximum age of a cached list of files that a search uses. An older list is scanned again, in
// case the watcher lost an event.
const searchMaxAge = 5 * time.Minute

// unwatchedMaxAge is the maximum age of a cached list of files in a folder that no project watches. It is short, so
// that a search finds a file that was just saved.
const unwatchedMaxAge = time.Second

const (
	maxTypes = 200 // maximum bytes of the list of file types in a note
	noType   = "No document has the file type %s: documents are .md, .html and .txt files."
)

func (s *Sources) SearchDocuments(ctx context.Context, folders []api.DocumentFolder,
	q api.DocumentQuery) (string, int, error) {
	found, left, total, err := s.findDocuments(ctx, folders, q)
	if err != nil {
		return "", 0, err
	}
	rest := notServed(left)
	if others := strings.Join(docs.NotSupported(q.FileTypes), ", "); others != "" {
		if len(others) > maxTypes {
			others = strings.ToValidUTF8(others[:maxTypes], "") + "…"
		}
		rest += "\n\n" + fmt.Sprintf(noType, others)
	}
	text, shown := docs.Format(found, total, api.MaxResult-utf8.RuneCountInString(rest))
	return text + rest, shown, nil
}

func (s *Sources) FindDocuments(ctx context.Context, folders []api.DocumentFolder,
	q api.DocumentQuery) (hits []api.DocumentHit, total int, err error) {
	if others := docs.NotSupported(q.FileTypes); len(others) > 0 {
		text := fmt.Sprintf(noType, strings.Join(others, ", "))
		return nil, 0, api.New(api.InvalidArgument, text, text, nil)
	}
	found, _, total, err := s.findDocuments(ctx, folders, q)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range found {
		at := slices.IndexFunc(folders, func(f api.DocumentFolder) bool { return f.Prefix == m.Prefix })
		hits = append(hits, api.DocumentHit{File: filepath.Join(folders[at].Root, filepath.FromSlash(m.Path)),
			Root: folders[at].Root, Title: m.Title, Section: m.Section, Excerpt: m.Excerpt, Score: m.Relevance})
	}
	return hits, total, nil
}

func (s *Sources) findDocuments(ctx context.Context, folders []api.DocumentFolder,
	q api.DocumentQuery) (found []docs.Match, left []string, total int, err error) {
	var lists [][]docs.Match
	for _, at := range folders {
		f, err := s.current(ctx, at.Root, searchMaxAge)
		if err != nil {
			return nil, nil, 0, err
		}
		for _, l := range f.LeftOut() {
			if !l.Dir || !f.project && mayHaveDocuments(l.Path) { // a project's status already lists its skipped folders
				left = append(left, at.Prefix+skippedName(l)+" ("+l.Reason.InWords()+")")
			}
		}
		var index map[string]float64
		if f.project && q.In == docs.InBoth {
			index = s.indexScores(ctx, at.Root, q.Text)
		}
		one, n, err := f.Search(ctx, q, index)
		if err != nil {
			return nil, nil, 0, err
		}
		for i := range one {
			one[i].Prefix = at.Prefix
		}
		lists, total = append(lists, one), total+n
	}
	return docs.Merge(q.Limit, lists...), left, total, nil
}

func (s *Sources) indexScores(ctx context.Context, root, text string) map[string]float64 {
	p, known := s.opt.Projects.Lookup(root)
	if !known {
		return nil
	}
	prefix := ""
	for _, r := range p.Roots {
		if r.Path == root {
			prefix = r.Prefix()
		}
	}
	answer, err := s.opt.Projects.Search(ctx, []string{p.Root()},
		api.Query{Text: text, Corpus: api.CorpusDocs, TopK: api.MaxTopK, Detail: api.DetailExcerpt})
	if err != nil {
		s.log.Debug("documents ranked without the index", "folder", root, "err", err)
		return nil
	}
	scores := map[string]float64{}
	for _, h := range answer.Hits {
		if key, in := strings.CutPrefix(h.Path, prefix); in && (prefix != "" || !strings.HasPrefix(key, "@")) {
			scores[key] = max(scores[key], h.Score)
		}
	}
	return scores
}

func skippedName(e policy.Entry) string {
	if e.Dir {
		return e.Path + "/"
	}
	return e.Path
}

// mayHaveDocuments reports whether a skipped folder may contain the user's own documents, rather than those of a tool
// or a dependency.
func mayHaveDocuments(dir string) bool {
	name := path.Base(dir)
	return !strings.HasPrefix(name, ".") && name != "node_modules"
}

func notServed(left []string) string {
	if len(left) == 0 {
		return ""
	}
	text := "\n\nNot searched: " + strings.Join(left[:min(3, len(left))], ", ")
	if more := len(left) - 3; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}
