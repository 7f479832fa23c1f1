package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/memory"
	"searchmcp/engine/sources/site/schema"
	"searchmcp/engine/store/files"
)

const (
	listName   = "sites.json"
	copiesName = "sites"
)

const (
	refreshEvery = 15 * time.Minute
	unloadAfter  = 30 * time.Minute
)

type Options struct {
	Dir      string
	Reserved []string // names of the app's own tools
	Changed  func()
	Log      *slog.Logger
}

type site struct {
	info    atomic.Pointer[api.Site]
	loading sync.Mutex // guards the next fields; locked while the site's index is read
	index   *searchable
	used    time.Time
}

// Registry is the app's list of sites. It is safe for concurrent use.
type Registry struct {
	o Options
	// changing is locked during AddSite, RemoveSite and refreshes, so that concurrent writers of the list lose no change.
	changing sync.Mutex
	sites    atomic.Pointer[[]*site]
}

// Open reads the list of sites. It renames an unreadable list to sites.json.bad, and returns an error and an empty
// registry.
func Open(o Options) (*Registry, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Registry{o: o}
	r.sites.Store(&[]*site{})
	path := filepath.Join(o.Dir, listName)
	var list []api.Site
	switch err := files.ReadJSON(path, &list); {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return r, fmt.Errorf("read list of sites: %w", errors.Join(err, os.Rename(path, path+".bad")))
	}
	sites := make([]*site, len(list))
	for i := range list {
		sites[i] = &site{}
		sites[i].info.Store(&list[i])
	}
	r.sites.Store(&sites)
	return r, nil
}

func (r *Registry) Sites() []api.Site { return infos(*r.sites.Load()) }

func infos(sites []*site) []api.Site {
	out := make([]api.Site, 0, len(sites))
	for _, s := range sites {
		out = append(out, *s.info.Load())
	}
	slices.SortFunc(out, func(a, b api.Site) int { return strings.Compare(a.Tool, b.Tool) })
	return out
}

type ProblemsError []api.SiteProblem

func (e ProblemsError) Error() string {
	const shown = 5
	var parts []string
	for _, p := range e[:min(shown, len(e))] {
		parts = append(parts, p.Path+": "+p.Message)
	}
	if more := len(e) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return "the index is not valid: " + strings.Join(parts, "; ")
}

// CheckSite fetches and validates an index without storing it.
func (r *Registry) CheckSite(ctx context.Context, l api.SiteLocation) (api.SiteReport, error) {
	f, err := fetch(ctx, l, "")
	if err != nil {
		return api.SiteReport{}, refusedBy(err)
	}
	x, problems := schema.Parse(f.data)
	if problems != nil {
		return api.SiteReport{Problems: problems}, nil
	}
	report := api.SiteReport{Valid: true, Problems: []api.SiteProblem{}}
	info := api.Site{SiteLocation: l}
	describe(&info, x)
	report.Name, report.Domain, report.About, report.Pages = info.Name, info.Domain, info.Description, info.Pages
	if err := r.name(&info); err != nil {
		report.Note = err.Error()
	} else {
		report.Tool, report.Note = info.Tool, r.note(info)
	}
	return report, nil
}

// AddSite fetches an index and adds its site to the list. prefix, if not "", replaces the toolPrefix of the index in
// the tool's name. AddSite also approves the new description of a listed site.
func (r *Registry) AddSite(ctx context.Context, l api.SiteLocation, prefix string) (api.Site, error) {
	if prefix != "" && !schema.ValidPrefix(prefix) {
		return api.Site{}, refused(prefixRule, prefix)
	}
	if err := Check(l); err != nil {
		return api.Site{}, refusedBy(err)
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	if s := r.find(func(i api.Site) bool { return i.SiteLocation == l }); s != nil {
		return r.agree(s, prefix)
	}
	f, err := fetch(ctx, l, "")
	if err != nil {
		return api.Site{}, refusedBy(err)
	}
	x, index, err := read(f.data)
	if err != nil {
		return api.Site{}, refusedBy(err)
	}
	info := api.Site{SiteLocation: l, SiteWords: api.SiteWords{Prefix: prefix}, ETag: f.etag, Checked: time.Now().UTC(),
		PrefixGiven: prefix != ""}
	describe(&info, x)
	if err := r.name(&info); err != nil {
		return api.Site{}, err
	}
	s := &site{index: index, used: time.Now()}
	s.info.Store(&info)
	if err := r.keep(l, f.data); err != nil {
		return api.Site{}, err
	}
	if err := r.replace(append(slices.Clone(*r.sites.Load()), s)); err != nil {
		return api.Site{}, err
	}
	added := info
	added.Note = r.note(info)
	return added, nil
}

// agree approves the new description of a listed site. The caller must lock r.changing.
func (r *Registry) agree(s *site, prefix string) (api.Site, error) {
	before := s.info.Load()
	if before.Offered == (api.SiteWords{}) {
		return api.Site{}, refused("The site at %s is already in the list.", before.URL)
	}
	info := *before
	info.Offered = api.SiteWords{}
	info.SiteWords = before.Offered
	if prefix != "" {
		info.Prefix, info.PrefixGiven = prefix, true
	}
	if err := r.name(&info); err != nil {
		return api.Site{}, err
	}
	s.info.Store(&info)
	if err := r.replace(*r.sites.Load()); err != nil {
		s.info.Store(before)
		return api.Site{}, err
	}
	added := info
	added.Note = r.note(info)
	return added, nil
}

func (r *Registry) note(info api.Site) string {
	switch {
	case slices.Contains(r.o.Reserved, "search_"+info.Prefix):
		return fmt.Sprintf("search_%s is a tool of Search MCP itself, so the site's tool is %s.", info.Prefix, info.Tool)
	case info.Domain == schema.NoDomain:
		return "The index doesn't name the site's domain, so results show paths instead of addresses."
	}
	return ""
}

func describe(info *api.Site, x *schema.Index) {
	info.SiteWords = wordsOf(info, x)
	info.Version, info.Generated, info.Pages = x.Version, x.Generated, len(x.Pages)
}

func wordsOf(info *api.Site, x *schema.Index) api.SiteWords {
	m := x.Meta()
	w := api.SiteWords{Name: m.Name, Domain: m.Domain, Description: m.Description, Prefix: m.Prefix()}
	if info.PrefixGiven {
		w.Prefix = info.Prefix
	}
	return w
}

// maxTool is the maximum length of a tool's name that assistants accept.
const maxTool = 64

// name sets the name of a site's tool. It returns an error if another site's tool has the name.
func (r *Registry) name(info *api.Site) error {
	tool := "search_" + info.Prefix
	if slices.Contains(r.o.Reserved, tool) {
		tool += "_site"
	}
	if len(tool) > maxTool {
		return refused(
			"The tool would be named %s, but assistants accept at most %d characters. Add the site with a shorter --prefix.",
			tool, maxTool)
	}
	other := r.find(func(i api.Site) bool { return i.Tool == tool && i.SiteLocation != info.SiteLocation })
	if other != nil {
		return refused(
			"Another site, %s (%s), already has the tool prefix '%s'. Remove it, or add this one with a different prefix.",
			other.info.Load().Name, other.info.Load().URL, other.info.Load().Prefix)
	}
	info.Tool = tool
	return nil
}

func (r *Registry) RemoveSite(ref string) (api.Site, error) {
	r.changing.Lock()
	defer r.changing.Unlock()
	var found *site
	for _, is := range []func(api.Site) bool{
		func(i api.Site) bool { return i.Tool == ref }, func(i api.Site) bool { return i.URL == ref },
		func(i api.Site) bool { return i.Prefix == ref }, func(i api.Site) bool { return i.Name == ref },
	} {
		if found = r.find(is); found != nil {
			break
		}
	}
	if found == nil {
		return api.Site{}, refused("There is no site '%s'.", ref)
	}
	left := slices.DeleteFunc(slices.Clone(*r.sites.Load()), func(s *site) bool { return s == found })
	if err := r.replace(left); err != nil {
		return api.Site{}, err
	}
	info := *found.info.Load()
	if err := os.Remove(r.copyOf(info.SiteLocation)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.o.Log.Warn("copy of a site's index not removed", "err", err)
	}
	return info, nil
}

func (r *Registry) find(is func(api.Site) bool) *site {
	for _, s := range *r.sites.Load() {
		if is(*s.info.Load()) {
			return s
		}
	}
	return nil
}

// replace saves and applies a new list of sites. The caller must lock r.changing.
func (r *Registry) replace(sites []*site) error {
	if err := files.WriteJSON(filepath.Join(r.o.Dir, listName), infos(sites)); err != nil {
		return fmt.Errorf("write list of sites: %w", err)
	}
	r.sites.Store(&sites)
	r.o.Changed()
	return nil
}

func (r *Registry) copyOf(l api.SiteLocation) string {
	sum := sha256.Sum256([]byte(l.URL + "\n" + l.Endpoint))
	return filepath.Join(r.o.Dir, copiesName, hex.EncodeToString(sum[:16])+".json")
}

func (r *Registry) keep(l api.SiteLocation, data []byte) error {
	path := r.copyOf(l)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = files.WriteFile(path, data)
	}
	if err != nil {
		return fmt.Errorf("keep copy of index: %w", err)
	}
	return nil
}

func (r *Registry) SearchSite(ctx context.Context, tool, query string, limit int) ([]api.SitePage, int, error) {
	s := r.find(func(i api.Site) bool { return i.Tool == tool })
	if s == nil {
		return nil, 0, refused("There is no site with the tool '%s'.", tool)
	}
	if filepath.IsAbs(s.info.Load().URL) && r.changing.TryLock() { // don't wait for another refresh, which may be slow
		r.refresh(ctx, s)
		r.changing.Unlock()
	}
	x, err := r.load(s)
	if err != nil {
		return nil, 0, err
	}
	return x.search(ctx, query, limit)
}

// load returns a site's index and keeps the index in memory. The next refresh fetches a damaged index again.
func (r *Registry) load(s *site) (*searchable, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	s.used = time.Now()
	if s.index != nil {
		return s.index, nil
	}
	info := s.info.Load()
	data, err := os.ReadFile(r.copyOf(info.SiteLocation))
	if err == nil {
		data, err = withoutSecrets(data) // an older version may have stored secrets
	}
	if err == nil {
		_, s.index, err = read(data)
	}
	if err != nil {
		untagged := *info
		untagged.ETag = ""
		s.info.CompareAndSwap(info, &untagged) // fails if a refresh has replaced the copy
		return nil, api.New(api.IndexCorrupt, fmt.Sprintf("The stored copy of the index of '%s' is damaged. It will be "+
			"fetched again within 15 minutes. To fetch it now, run 'search-mcp site refresh'.", info.Name),
			err.Error(), err)
	}
	return s.index, nil
}

func (r *Registry) RefreshSites(ctx context.Context) []api.Site {
	for _, s := range *r.sites.Load() {
		if ctx.Err() != nil {
			break
		}
		r.changing.Lock()
		r.refresh(ctx, s)
		r.changing.Unlock()
	}
	return r.Sites()
}

// refresh replaces the index of a site with a newer one. If that fails, it keeps the old index and records the problem.
// The caller must hold r.changing.
func (r *Registry) refresh(ctx context.Context, s *site) {
	if !slices.Contains(*r.sites.Load(), s) {
		return
	}
	before := *s.info.Load()
	info := before
	f, err := fetch(ctx, info.SiteLocation, info.ETag)
	if ctx.Err() != nil {
		return
	}
	var next *searchable
	if err == nil && !f.unchanged {
		next, err = r.take(&info, f)
	}
	if info.Problem = ""; err != nil {
		// Keep the old ETag, so that the next refresh fetches the index again.
		info, info.Problem = before, err.Error()
	}
	info.Checked = time.Now().UTC()
	s.info.Store(&info)
	if next != nil {
		s.loading.Lock()
		s.index = next
		s.loading.Unlock()
	}
	if before.Checked = info.Checked; before == info {
		return
	}
	if err != nil && before.Problem != info.Problem {
		r.o.Log.Warn("site not refreshed", "site", info.Name, "err", err)
	}
	if err := r.replace(*r.sites.Load()); err != nil {
		r.o.Log.Warn("list of sites not saved", "err", err)
		r.o.Changed()
	}
}

func (r *Registry) take(info *api.Site, f fetched) (*searchable, error) {
	x, index, err := read(f.data)
	if err != nil {
		return nil, err
	}
	seen := info.SiteWords
	describe(info, x)
	if info.Offered = wordsOf(info, x); info.Offered == seen {
		info.Offered = api.SiteWords{}
	}
	info.SiteWords = seen // the tool's description changes only after the user's approval
	if err := r.keep(info.SiteLocation, f.data); err != nil {
		return nil, err
	}
	info.ETag = f.etag
	return index, nil
}

func read(data []byte) (*schema.Index, *searchable, error) {
	defer memory.CollectMoreOften()()
	x, problems := schema.Parse(data)
	if problems != nil {
		return nil, nil, ProblemsError(problems)
	}
	return x, newSearchable(x), nil
}

func (r *Registry) Run(ctx context.Context) {
	t := time.NewTicker(refreshEvery)
	defer t.Stop()
	for {
		r.RefreshSites(ctx)
		r.unload(time.Now().Add(-unloadAfter))
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (r *Registry) unload(before time.Time) {
	for _, s := range *r.sites.Load() {
		s.loading.Lock()
		if s.used.Before(before) {
			s.index = nil
		}
		s.loading.Unlock()
	}
}

const prefixRule = "The prefix '%s' must begin with a lowercase letter and contain only lowercase letters, digits " +
	"and underscores."

func refused(format string, args ...any) *api.Error {
	text := fmt.Sprintf(format, args...)
	return api.New(api.InvalidArgument, text, text, nil)
}

func refusedBy(err error) *api.Error {
	return api.New(api.InvalidArgument, "The site can't be used: "+cmp.Or(strings.TrimRight(api.InWords(err), "."),
		"unknown")+".", err.Error(), err)
}
