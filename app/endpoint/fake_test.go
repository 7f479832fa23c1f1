package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
)

// rest implements the methods that fake lacks with a nil Engine.
type rest struct{ Engine }

// fake is an engine in memory. Folders below /p exist, and the projects are registered.
type fake struct {
	rest
	mu       sync.Mutex
	projects []api.Project
	folder   fs.FileInfo    // identity of every folder
	approved []api.Approval // of Create, Reindex and Delete
	config   map[string]api.Config
	jobs     map[string]*fakeJob // by root + action
	done     []string            // operations in order
	subs     map[chan api.Event]bool
	search   func(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	hold     bool // jobs run until finish
	detect   map[string]string
	settings map[string]any
	preview  api.Preview
	looks    atomic.Int32 // calls of Status
	scans    atomic.Int32 // calls of Preview

	documents []api.Document
	sites     []api.Site
	archive   string
	answer    *api.ArchiveAnswer
	metadata  string
	added     []string // folders
}

func newFake(names ...string) *fake {
	f := &fake{
		config: map[string]api.Config{}, jobs: map[string]*fakeJob{},
		subs: map[chan api.Event]bool{}, detect: map[string]string{}, settings: map[string]any{"theme": "dark"},
		preview: api.Preview{Files: 450, Bytes: 3 << 20, DiskBytes: 45 << 20, Duration: 80 * time.Second,
			Searchable: 4 * time.Second},
	}
	for _, n := range names {
		f.projects = append(f.projects, ready("/p/"+n))
	}
	return f
}

func ready(root string) api.Project {
	return api.Project{
		ID: "0123456789abcdef0123456789abcdef", Name: path.Base(root), Roots: []api.Root{{Path: root}}, State: api.StateReady,
		Files: 450, Chunks: 1205, DocFiles: 12, DocChunks: 40, Vectors: 1205, SizeBytes: 45 << 20, Strategy: api.Realtime,
		WatcherActive: true, LastUpdated: time.Date(2024, 1, 15, 14, 30, 0, 0, time.UTC),
	}
}

func (f *fake) did(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, arg := range args {
		if path, ok := arg.(string); ok {
			args[i] = driveless(path)
		}
	}
	f.done = append(f.done, fmt.Sprintf(format, args...))
}

func (f *fake) deeds() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.done)
}

func (f *fake) Projects() []api.Project {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.projects)
}

func (f *fake) Status(_ context.Context, root string) (api.Project, error) {
	f.looks.Add(1)
	if p, found := f.Lookup(root); found {
		return p, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return api.Project{ID: "0123456789abcdef0123456789abcdef", Name: path.Base(root), Roots: []api.Root{{Path: root}},
		State: api.StateNotIndexed}, nil
}

func (f *fake) Lookup(ref string) (api.Project, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ref = driveless(ref)
	for _, p := range f.projects {
		if p.Name == ref || p.Root() == ref || strings.HasPrefix(ref, p.Root()+"/") {
			return p, true
		}
	}
	return api.Project{}, false
}

func (f *fake) DetectRoot(dir string) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, found := f.detect[driveless(dir)]
	return root, found
}

func (f *fake) Canonical(dir string) (string, error) {
	if dir = driveless(dir); strings.Contains(dir, "/gone") {
		return "", api.ErrFileNotFound(dir)
	}
	if dir == "/" || dir == "/home/u" || strings.HasPrefix(dir, "/p/") {
		return path.Clean(dir), nil
	}
	return "", api.ErrFileNotFound(dir)
}

func (f *fake) IsTooBroad(root string) bool { return root == "/" || root == "/home/u" }

func (f *fake) Identify(string) fs.FileInfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.folder
}

func (f *fake) approve(a api.Approval) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.approved = append(f.approved, a)
}

func (f *fake) Config(root string) api.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, set := f.config[root]; set {
		return c
	}
	return api.DefaultConfig()
}

func (f *fake) PreviewConfig(ctx context.Context, root, text string) (api.Preview, []string, error) {
	f.did("try %s %s", root, text)
	p, err := f.Preview(ctx, root)
	return p, []string{"maxFiles must be a whole number"}, err
}

func (f *fake) Preview(_ context.Context, root string) (api.Preview, error) {
	f.scans.Add(1)
	p := f.preview
	p.Root, p.Name, p.Broad = root, path.Base(root), f.IsTooBroad(root)
	return p, nil
}

func (f *fake) start(root string, a api.Action, always bool) api.Job {
	f.did("%s %s always=%v", a, root, always)
	f.mu.Lock()
	defer f.mu.Unlock()
	if j := f.jobs[root+string(a)]; j != nil {
		return j
	}
	j := &fakeJob{fake: f, id: "job-" + root, done: make(chan struct{}),
		p: api.Progress{Action: a, Phase: api.PhaseScanning, Started: time.Now(), FilesTotal: 450}}
	j.root = root
	if f.hold {
		f.jobs[root+string(a)] = j
	} else {
		f.register(root)
		j.stats = api.IndexStats{FilesIndexed: 450, ChunksCreated: 1205, Duration: 45 * time.Second}
		close(j.done)
	}
	return j
}

func (f *fake) register(root string) {
	if !slices.ContainsFunc(f.projects, func(p api.Project) bool { return p.Root() == root }) {
		f.projects = append(f.projects, ready(root))
	}
}

func (f *fake) Create(_ context.Context, root string, a api.Approval) (api.Job, error) {
	f.approve(a)
	return f.start(root, api.ActionCreate, a.Answer == api.Always), nil
}

func (f *fake) Reindex(_ context.Context, root string, a api.Approval) (api.Job, error) {
	f.approve(a)
	return f.start(root, api.ActionReindex, false), nil
}

func (f *fake) Delete(_ context.Context, root string, a api.Approval) error {
	f.approve(a)
	f.did("delete_index %s", root)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.projects = slices.DeleteFunc(f.projects, func(p api.Project) bool { return p.Root() == root })
	return nil
}

func (f *fake) Partial(string, string) string { return "" }

func (f *fake) ReindexFile(_ context.Context, root, file string) (int, error) {
	if _, found := f.Lookup(root); !found {
		return 0, api.ErrIndexNotFound("0123456789abcdef0123456789abcdef")
	}
	if file != "src/a.go" {
		return 0, api.ErrFileNotFound(file)
	}
	f.did("reindex_file %s %s", root, file)
	return 3, nil
}

func (f *fake) Running(root string, a api.Action) (api.Job, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	j, running := f.jobs[root+string(a)]
	return j, running
}

func (f *fake) Cancel(id string) error   { f.did("cancel %s", id); return nil }
func (f *fake) Pause(root string) error  { f.did("pause %s", root); return nil }
func (f *fake) Resume(root string) error { f.did("resume %s", root); return nil }
func (f *fake) Revoke(root string) error { f.did("revoke %s", root); return nil }

func (f *fake) AddRoot(_ context.Context, root, dir, name string) (api.Project, error) {
	f.did("add root %s %s %s", root, dir, name)
	return ready(root), nil
}

func (f *fake) RemoveRoot(_ context.Context, root, dir string) (api.Project, error) {
	f.did("remove root %s %s", root, dir)
	return ready(root), nil
}

func (f *fake) Relocate(_ context.Context, root, dir string) (api.Project, error) {
	f.did("locate %s %s", root, dir)
	return ready(dir), nil
}

func (f *fake) Search(ctx context.Context, roots []string, q api.Query) (api.Results, error) {
	if f.search != nil {
		return f.search(ctx, roots, q)
	}
	var notes, indexed []string
	for _, r := range roots {
		if p, err := f.Status(ctx, r); err != nil {
			return api.Results{}, err
		} else if p.State != api.StateNotIndexed {
			indexed = append(indexed, r)
		} else if notes = append(notes, "Not searched: "+r+"."); len(notes) == len(roots) {
			return api.Results{}, api.ErrIndexNotFound(p.ID)
		}
	}
	roots = indexed
	if _, err := search.PathFilter(nil, q.PathGlob); err != nil {
		return api.Results{}, err
	}
	hit := api.Hit{Path: "src/auth/login.ts", Text: "export async function login() {}", Score: 0.92, StartLine: 45,
		EndLine: 78, Language: "typescript", Breadcrumb: "login"}
	if len(roots) > 1 {
		hit.Project = strings.Join(roots, "+")
	}
	return api.Results{Hits: []api.Hit{hit}, Total: 3, Took: 45 * time.Millisecond, State: api.StateReady, Semantic: true,
		IndexedAt: time.Date(2024, 1, 15, 14, 30, 0, 0, time.UTC),
		Notes:     append(notes, "roots: "+strings.Join(roots, " "))}, nil
}

func (f *fake) FileText(_ context.Context, root, path string, line, count int) (api.FileText, error) {
	return api.FileText{First: line, Text: fmt.Sprintf("%s %s %d", root, path, count), Total: 9}, nil
}

func (f *fake) Languages() []string { return []string{"go", "typescript"} }

func (f *fake) PathIn(root, typed string) string { return strings.TrimPrefix(typed, root+"/") }

func (f *fake) Files(_ context.Context, roots []string, q api.FileQuery) (api.FileResults, error) {
	var r api.FileResults
	for _, name := range []string{"src/auth/login.ts", "src/auth/logout.ts", "src/auth/middleware.ts"} {
		if match, err := search.PathFilter(nil, q.Pattern); err != nil {
			return r, err
		} else if match == nil || match(name) {
			r.Total++
			if len(r.Matches) < q.Limit {
				r.Matches = append(r.Matches, name)
			}
		}
	}
	r.Truncated = r.Total > len(r.Matches)
	return r, nil
}

func (f *fake) Symbol(_ context.Context, _ []string, q api.SymbolQuery) (api.SymbolResults, error) {
	r := api.SymbolResults{Definitions: []api.SymbolDefinition{{Name: q.Name, Kind: "function",
		Path: "src/auth/login.ts", StartLine: 45,
		EndLine: 78, Line: 45, Column: 23, Signature: "export async function login()"}}}
	if q.Uses {
		r.Uses = []api.SymbolFile{
			{Path: "src/app.ts", Uses: []api.SymbolUse{{Line: 3, Role: api.UseImport}, {Line: 9, Role: api.UseCall, In: "start"},
				{Line: 12, Role: api.UseCall, In: "start"}, {Line: 20, Role: api.UseMention}}},
			{Path: "src/app.test.ts", Test: true, Uses: []api.SymbolUse{{Line: 7, Role: api.UseCall, In: "signs in"}}},
		}
		r.TotalUses = 5
	}
	return r, nil
}

func (f *fake) Grep(_ context.Context, _ []string, q api.GrepQuery) (api.GrepResults, error) {
	if q.Pattern == "(" {
		return api.GrepResults{}, api.ErrArgument("pattern", "a regular expression")
	}
	return api.GrepResults{Files: []api.GrepFile{{Path: "src/auth/login.ts", Total: 2, Hits: []api.GrepHit{
		{Line: 46, Column: 2, Text: "\tlogin();", Marks: [][2]int{{1, 6}}, In: "start", StartLine: 45, EndLine: 78}}}},
		Total: 2, Searched: 3}, nil
}

func (f *fake) Outline(_ context.Context, _ string, q api.OutlineQuery) (api.Outline, error) {
	if q.Name != "" || q.Line > 0 {
		return api.Outline{Path: q.Path, Total: 1, Declared: []api.Declared{{Name: "Login.run", Kind: "method",
			Path: "src/auth/login.ts", Signature: "run(): void", StartLine: 9, EndLine: 11,
			Text: "\trun(): void {\n\t\tgo();\n\t}"}}}, nil
	}
	if q.Path != "" {
		return api.Outline{Path: q.Path, Total: 2, Nodes: []api.OutlineNode{{Name: "Login", Kind: "class",
			Signature: "export class Login", StartLine: 3, EndLine: 40, Children: []api.OutlineNode{{Name: "run",
				Kind: "method", Signature: "run(): void", StartLine: 5, EndLine: 9}}}}}, nil
	}
	return api.Outline{Total: 3, Folders: []api.OutlineFolder{{Path: "src", Files: 3}}, Languages: []string{"typescript"},
		Files: []api.OutlineFile{{Path: "src/auth/login.ts", Symbols: []string{"login", "Login"}, Uses: 9}}}, nil
}

func (f *fake) Subscribe(ctx context.Context) <-chan api.Event {
	ch := make(chan api.Event, 1024)
	f.mu.Lock()
	f.subs[ch] = true
	f.mu.Unlock()
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, ch)
		close(ch)
	})
	return ch
}

func (f *fake) Publish(e api.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ch := range f.subs {
		select {
		case ch <- e:
		default:
		}
	}
}

func (f *fake) Paused() bool          { return false }
func (f *fake) Model() string         { return "loaded" }
func (f *fake) Problems() []api.Error { return nil }

func (f *fake) Unread() []string { return nil }

func (f *fake) ConfigText(root string) (string, []string, error) {
	return `{"_root":"` + root + `"}`, nil, nil
}

func (f *fake) SetConfigText(_ context.Context, root, text string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := api.DefaultConfig()
	c.EnhancedToolDescriptions = strings.Contains(text, `"enhancedToolDescriptions": true`)
	f.config[root] = c
	return nil, nil
}

func (f *fake) Settings() map[string]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings
}

func (f *fake) SetSettings(m map[string]any) (map[string]any, error) {
	f.did("settings %v", m)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settings = m
	return m, nil
}

func (f *fake) Logs(root string, lines int, level string) ([]string, error) {
	return []string{fmt.Sprint(root, lines, level)}, nil
}

func (f *fake) Doctor(_ context.Context, root string) []api.Finding {
	return []api.Finding{{OK: true, Subject: "socket", Text: root}}
}

// fakeJob runs until the test finishes it.
type fakeJob struct {
	fake *fake
	id   string
	root string
	done chan struct{}

	mu    sync.Mutex
	p     api.Progress
	stats api.IndexStats
	err   error
}

func (j *fakeJob) ID() string            { return j.id }
func (j *fakeJob) Done() <-chan struct{} { return j.done }

func (j *fakeJob) Progress() api.Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.p
}

func (j *fakeJob) Result() (api.IndexStats, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stats, j.err
}

func (j *fakeJob) set(change func(p *api.Progress)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.p)
}

func (j *fakeJob) finish(stats api.IndexStats, err error) {
	j.mu.Lock()
	j.stats, j.err = stats, err
	a := j.p.Action
	j.mu.Unlock()
	j.fake.mu.Lock()
	delete(j.fake.jobs, j.root+string(a))
	if err == nil {
		j.fake.register(j.root)
	}
	j.fake.mu.Unlock()
	close(j.done)
}

// job returns a started job, or fails.
func (f *fake) job(t *testing.T, root string, a api.Action) *fakeJob {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	j := f.jobs[root+string(a)]
	if j == nil {
		t.Fatalf("no job %s for %s; done: %v", a, root, f.done)
	}
	return j
}

var errBroken = errors.New("the disk is on fire, secret detail")
