package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/secret"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
)

func (r *Registry) Search(ctx context.Context, roots []string, q api.Query) (api.Results, error) {
	began := time.Now()
	var err error
	if q.Language, err = r.language(q.Language, roots); err != nil {
		return api.Results{}, err
	}
	if len(roots) == 1 {
		var one api.Results
		asked, err := r.rank(ctx, roots[0], q)
		if err == nil {
			one = asked.results(ctx, true)
			asked.p.asked()
		}
		answer.Shape(&one, q)
		one.Took = time.Since(began)
		return one, err
	}
	wide := q
	wide.Offset, wide.TopK = 0, q.Offset+q.TopK
	asked := make([]*ranking, len(roots))
	errs := make([]error, len(roots))
	var wg sync.WaitGroup
	for i, root := range roots {
		wg.Go(func() {
			asked[i], errs[i] = r.rank(ctx, root, wide)
		})
	}
	wg.Wait()
	var notes []string
	for i, err := range errs {
		if err != nil {
			notes = append(notes, r.notSearched(roots[i], err))
		}
	}
	asked = slices.DeleteFunc(asked, func(a *ranking) bool { return a == nil })
	if len(asked) == 0 {
		return api.Results{}, errs[0]
	}
	all := mergeAnswers(ctx, asked)
	all.Notes = append(notes, all.Notes...)
	if q.Offset < len(all.Hits) {
		all.Hits = all.Hits[q.Offset:min(len(all.Hits), q.Offset+q.TopK)]
	} else {
		all.Hits = nil
	}
	for _, a := range asked { // a project without a result has not answered
		if slices.ContainsFunc(all.Hits, func(h api.Hit) bool { return h.Project == a.p.name }) {
			a.p.asked()
		}
	}
	slices.SortStableFunc(all.More, func(a, b api.Summary) int { return cmp.Compare(b.Score, a.Score) })
	answer.Shape(&all, q)
	all.Took = time.Since(began)
	return all, nil
}

const languagesShown = 12

// language returns the name of the language with the given name or alias, such as "golang". The error names the most
// similar language and the most frequent languages of the projects.
func (r *Registry) language(alias string, roots []string) (string, error) {
	name, known := lang.Find(alias)
	if alias == "" || known {
		return name, nil
	}
	count := map[string]int{}
	for _, root := range roots {
		if p, err := r.get(root); err == nil {
			names := p.overlay()
			for _, corpus := range api.Corpora {
				for _, path := range names.Paths(corpus) {
					count[lang.OfFile(path, nil)]++
				}
			}
			names.release()
		}
	}
	delete(count, "")
	here := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	shown := cmp.Or(strings.Join(here[:min(len(here), languagesShown)], ", "), "none")
	text := fmt.Sprintf("No language is called '%s'. Languages here: %s.", alias, shown)
	if near := files.Nearest(name, slices.Concat(here, lang.Names())); near != "" {
		text = fmt.Sprintf("No language is called '%s'. Did you mean %s? Languages here: %s.", alias, near, shown)
	}
	return "", api.New(api.InvalidArgument, text, "language: expected the name of a language", nil)
}

func mergeAnswers(ctx context.Context, asked []*ranking) (all api.Results) {
	ranked := make([]*search.Ranked, len(asked))
	for i, a := range asked {
		ranked[i] = a.ranked
	}
	relevant := search.Compare(ranked)
	answers := make([]api.Results, len(asked))
	found := false
	for i, a := range asked {
		answers[i] = a.results(ctx, relevant[i])
		found = found || len(answers[i].Hits) > 0
	}
	var merged noteSet
	nearest := 0.0
	for i, a := range asked {
		if !found && !relevant[i] { // use all projects, because relevant ones have no hits
			answers[i] = a.results(ctx, true)
		}
		one := answers[i]
		merged.add(a.p.name, one.Notes)
		mergeResults(&all, one, a.p.name, i == 0)
		if s := ranked[i].Strength; s > nearest && len(one.Nearest) > 0 {
			nearest, all.Nearest = s, one.Nearest
			for n, place := range all.Nearest {
				all.Nearest[n] = a.p.name + ": " + place
			}
		}
	}
	all.Notes = merged.all()
	slices.SortStableFunc(all.Hits, better)
	return all
}

func better(a, b api.Hit) int {
	if a.Whole != b.Whole {
		if a.Whole {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.Score, a.Score)
}

func mergeResults(all *api.Results, a api.Results, project string, first bool) {
	for _, h := range a.Hits {
		h.Project = project
		all.Hits = append(all.Hits, h)
	}
	for _, t := range a.More {
		t.Project = project
		all.More = append(all.More, t)
	}
	all.Total += a.Total
	if len(a.Forms) > 0 {
		all.Forms = a.Forms
	}
	all.PendingFiles += a.PendingFiles
	all.InTests = all.InTests || a.InTests
	all.Semantic, all.Static = all.Semantic || a.Semantic, max(all.Static, a.Static)
	if first || a.Coverage < all.Coverage {
		all.Coverage = a.Coverage
	}
	if first || a.IndexedAt.Before(all.IndexedAt) {
		all.IndexedAt = a.IndexedAt
	}
	if first || all.State == api.StateReady {
		all.State = a.State
	}
}

func (r *Registry) nameOf(root string) string {
	if p := r.Find(root); p != nil {
		return p.name
	}
	return root
}

type ranking struct {
	p      *Project
	snap   api.Project
	q      api.Query
	ranked *search.Ranked
	waits  bool
}

func (r *Registry) rank(ctx context.Context, root string, q api.Query) (*ranking, error) {
	p, err := r.get(root)
	if err != nil {
		return nil, err
	}
	r.opt.Asked()
	if _, err := os.Lstat(root); err != nil { // watchers don't detect that a parent folder was renamed
		p.checkRoots()
	}
	if p.isStarting() && r.opt.Embedder != nil && !q.LexicalOnly && !r.opt.Light() && r.opt.NoModel() == nil {
		go func() { _, _ = r.opt.Embedder.Query(ctx, q.Text) }() // loads the model meanwhile; Rank reports errors
	}
	p.flushBeforeSearch(ctx)
	outdated := p.actor.Store().Outdated() != "" // before the overlay, which locks the mutex that Outdated needs
	view := &reader{refs: 1, view: p.overlay(), damaged: func(err error) { r.repair(p, err) }}
	defer view.release()
	snap := p.Snapshot()
	if q.Corpus == api.CorpusDocs && !p.hasDocs(snap) && snap.State != api.StateIndexing {
		return nil, r.noDocs(p)
	}
	req := search.Request{Query: q, Log: r.log, History: p.history.Ask(), Allowed: p.allowed}
	if q.PathGlob != "" {
		req.Paths, req.Query.PathGlob = known{view.view}, p.relative(q.PathGlob)
	}
	req.Light = r.opt.Light() || r.opt.NoModel() != nil
	if req.Coverage, req.StaticCoverage = p.vectorCoverage(req.Light); r.opt.Embedder != nil && !req.Light {
		req.Embedder = r.opt.Embedder
	}
	if r.opt.Static != nil {
		req.Static = r.opt.Static.Question
	}
	var reader search.Reader = view
	if outdated {
		reader = redacting{reader} // an outdated index may contain passwords and keys
	}
	ranked, err := search.Rank(ctx, reader, req)
	if err != nil {
		return nil, fmt.Errorf("search project: %w", r.whileOpen(p, err))
	}
	return &ranking{p, snap, q, ranked, req.Coverage < 1 && !req.Light}, nil
}

func (a *ranking) results(ctx context.Context, relevant bool) (out api.Results) {
	p, q := a.p, a.q
	out = a.ranked.Results(relevant)
	if relevant {
		if a.waits {
			// Compute the vectors of these files first, because later queries are likely to find the same files.
			for _, h := range slices.Backward(out.Hits) {
				p.actor.Store().Prefer(q.Corpus, h.Path)
			}
		}
		if stale := markStale(p.actor.Tree(), p.actor, out.Hits); len(stale) > 0 {
			p.changed(stale)
		}
		out.Notes = append(out.Notes, p.partialNotes(out.Hits)...)
	}
	out.State, out.IndexedAt, out.PendingFiles = a.snap.State, a.snap.LastUpdated, a.snap.Pending
	out.Notes = append(out.Notes, p.stateNotes(a.snap, true)...)
	if relevant && len(out.Hits) == 0 {
		if text.IsCommon(q.Text) {
			out.Notes = append(out.Notes, "The query has only common words.")
		}
		out.Notes = append(out.Notes, p.missing(ctx, p.relative(q.PathGlob))...)
	}
	if relevant && q.Corpus == api.CorpusDocs && (len(out.Hits) == 0 || out.Hits[0].Score < answer.Unreliable) {
		out.Notes = append(out.Notes, p.otherDocuments()...)
	}
	namesOnDisk(p, out.Hits, func(h *api.Hit) *string { return &h.Path })
	for _, h := range out.Hits {
		namesOnDisk(p, h.Also, func(l *api.Lines) *string { return &l.Path })
	}
	namesOnDisk(p, out.More, func(s *api.Summary) *string { return &s.Path })
	return out
}

func (p *Project) onDisk(path string) string { return p.actor.Tree().OnDisk(path) }

// namesOnDisk replaces the paths in list by the names on disk.
func namesOnDisk[T any](p *Project, list []T, path func(*T) *string) {
	for i := range list {
		at := path(&list[i])
		*at = p.onDisk(*at)
	}
}

// document matches paths of documents that are indexed as code, such as "notes.org" and "git.1".
var document = regexp.MustCompile(`\.(?:org|tex|pod|rdoc|textile|[1-8])$`)

func (p *Project) otherDocuments() []string {
	var names []string
	tree := p.actor.Tree()
	for file := range p.actor.Store().Paths() {
		if (chunk.Prose(lang.OfFile(file, nil)) || document.MatchString(file)) && tree.Corpus(file) == api.CorpusCode {
			names = append(names, file)
		}
	}
	if len(names) == 0 {
		return nil
	}
	more := ""
	if n := len(names) - maxNamed; n > 0 {
		names, more = names[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return []string{fmt.Sprintf("docPatterns (%s) don't name %s%s: search_code has them.",
		strings.Join(p.actor.Config().DocPatterns, ", "), strings.Join(names, ", "), more)}
}

func (r *Registry) noDocs(p *Project) *api.Error {
	e, cfg := api.ErrDocsIndexNotFound(p.id), p.actor.Config()
	e.DeveloperMessage = r.inDataFolder(e.DeveloperMessage)
	if cfg.IndexDocs {
		e.DeveloperMessage += fmt.Sprintf(
			". The project is indexed, but no file in it matches docPatterns (%s); search_code covers all of its files",
			strings.Join(cfg.DocPatterns, ", "))
	} else {
		e.DeveloperMessage += ". The project is indexed without its documentation: indexDocs is false in its config.json"
	}
	return e
}

type redacting struct{ search.Reader }

func (r redacting) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	chunks, err := r.Reader.Chunks(ctx, corpus, ids)
	for id, c := range chunks {
		c.Text = redacted(c.Path, c.Text)
		chunks[id] = c
	}
	return chunks, err
}

func redacted(path, text string) string {
	r, err := secret.Redact(path, []byte(text))
	if err != nil {
		return secret.Mark("text that can't be checked")
	}
	return string(r.Data)
}

func (p *Project) partialNotes(hits []api.Hit) []string {
	var notes []string
	for _, h := range hits {
		if what := p.actor.Partial(h.Path); what != "" {
			note := fmt.Sprintf("Partly indexed: %s (%s).", h.Path, what)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

func (p *Project) vectorCoverage(light bool) (model, static float64) {
	s := p.actor.Store().Stats()
	if light {
		s.Vectors = 0
	}
	s.Static = min(s.Static, s.Chunks-s.Vectors)
	if sub := p.subscription.Load(); sub != nil {
		shared := sub.copy.State()
		s.Chunks += shared.Chunks
		if shared.Note == "" && !light {
			s.Vectors += shared.Chunks
		}
	}
	if s.Chunks == 0 {
		return 0, 0
	}
	return min(1, float64(s.Vectors)/float64(s.Chunks)), float64(s.Static) / float64(s.Chunks)
}

// markStale sets Stale in the hits whose files have changed since they were indexed. It returns the paths of these
// files.
func markStale(tree *index.Tree, a *index.Actor, hits []api.Hit) (changed []string) {
	stale := map[string]bool{}
	st := a.Store()
	for i := range hits {
		path := hits[i].Path
		if _, seen := stale[path]; !seen {
			now, reason, err := tree.Stat(path)
			then, _, known := st.Stamp(path)
			same := known && now.Size == then.Size && now.ModTime.Equal(then.ModTime) || !known && a.MatchesShared(path, now)
			if stale[path] = err != nil || reason != api.SkipNone || !same; stale[path] {
				changed = append(changed, path)
			}
		}
		hits[i].Stale = stale[path]
	}
	return changed
}

// stateNotes returns notes about the state of the index. If byMeaning is true, they describe its vectors too.
func (p *Project) stateNotes(snap api.Project, byMeaning bool) []string {
	var notes []string
	if p.isStarting() {
		notes = append(notes, "Search MCP has just started and is still comparing the files with the index. "+
			"Results may miss recent changes.")
	}
	switch snap.State {
	case api.StateIndexing:
		if pr := snap.Progress; pr != nil && pr.FilesTotal > 0 {
			notes = append(notes,
				fmt.Sprintf("Indexing is still running: %d of %d files are searchable.", pr.FilesDone, pr.FilesTotal))
		} else {
			notes = append(notes, "Indexing is still running: only some of the files are searchable.")
		}
	case api.StateEmbedding:
		if !byMeaning {
			break
		}
		if snap.Static > 0 {
			notes = append(notes, fmt.Sprintf(
				"Search by meaning uses quick vectors for %d %% of the project so far; better ones follow.",
				100*snap.Static/max(1, snap.Chunks)))
		} else {
			notes = append(notes, fmt.Sprintf(
				"Search by meaning covers %d %% of the project so far; search by words covers all of it.",
				100*snap.Vectors/max(1, snap.Chunks)))
		}
		if snap.Waiting != "" {
			notes = append(notes, snap.Waiting)
		}
	case api.StatePaused:
		if snap.Problem == nil { // otherwise the problem is reported below
			notes = append(notes, "Indexing is paused; recent changes may be missing.")
		}
	case api.StateStalled:
		notes = append(notes, "Recent changes can't be indexed; results come from the existing index.")
	}
	if snap.Problem != nil {
		notes = append(notes, snap.Problem.UserMessage)
	}
	for _, n := range snap.Notices {
		if n.Code == api.ProjectOffline || n.Code == api.FolderUnreadable { // one of several root folders is missing
			notes = append(notes, n.UserMessage)
		}
	}
	if snap.Files == 0 && snap.State == api.StateReady {
		notes = append(notes,
			"The index is empty because this folder has no files that are allowed to be indexed. "+
				"get_index_status lists the skipped files.")
	}
	return notes
}

func (r *Registry) notSearched(root string, err error) string {
	why := "An internal error was logged."
	var e *api.Error
	if errors.As(err, &e) {
		why = e.UserMessage
	} else if !errors.Is(err, context.Canceled) {
		r.log.Error("project not searched", "root", root, "err", err)
	}
	return "Not searched: " + root + ". " + why
}
