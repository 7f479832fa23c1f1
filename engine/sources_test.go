package engine

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/settings"
)

func TestArchiveOfSession(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	own := filepath.Join(e.opt.Data, "archive", "search.db")
	work := t.TempDir()
	check := func(env, dir, want string, exists bool) {
		t.Helper()
		if path, ok := e.Archive(env, dir); path != want || ok != exists {
			t.Errorf("%q, %q: %s %v, want %s %v", env, dir, path, ok, want, exists)
		}
	}
	check("", "", own, false)
	check("", work, own, false)
	check("/x/y.db", work, "/x/y.db", true)
	local := filepath.Join(work, "data", "search.db")
	write(t, local, "")
	check("", work, local, true)
	check("/x/y.db", work, "/x/y.db", true)
	write(t, own, "")
	check("", "", own, true)
	must(t, os.Remove(local))
	if err := os.Symlink(own, local); err == nil {
		check("", work, own, true) // a link could lead anywhere
	}
}

func TestDocumentsFollowRules(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	e := openOpt(t, data, nil)
	root := tree(t, map[string]string{"README.md": "# Readme", "drafts/plan.md": "# Plan"})
	folders := []api.DocumentFolder{{Root: root}}
	names := func() []string {
		t.Helper()
		list, err := e.Documents(t.Context(), folders)
		must(t, err)
		out := []string{}
		for _, d := range list {
			out = append(out, d.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"README.md", "drafts/plan.md"}) ||
		!e.HasDocuments(t.Context(), folders) {
		t.Error(got)
	}
	write(t, filepath.Join(data, "config.json"), `{"exclude": ["drafts/**"]}`)
	if got := names(); !slices.Equal(got, []string{"README.md"}) {
		t.Error(got)
	}
	if _, err := e.ReadDocument(t.Context(), folders, "drafts/plan.md", ""); api.CodeOf(err) != api.FileNotIndexable {
		t.Error(err)
	}
	if text, n, err := e.SearchDocuments(t.Context(), folders, api.DocumentQuery{Text: "plan", In: "both",
		Limit: 10}); n != 0 || err != nil {
		t.Error(text, n, err)
	}
}

func TestDocumentSources(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	root := tree(t, map[string]string{"README.md": "# Readme"})
	events := e.Subscribe(t.Context())
	must(t, e.AddDocumentFolder(root))
	for dir, want := range map[string]api.Code{root: api.InvalidArgument, "/": api.InvalidArgument,
		"docs": api.InvalidArgument, filepath.Join(root, "none"): api.InvalidArgument} {
		if err := e.AddDocumentFolder(dir); api.CodeOf(err) != want {
			t.Errorf("%s was added: %v", dir, err)
		}
	}
	served := []api.DocumentFolder{{Root: root}}
	want := api.DocumentSource{DocumentFolder: served[0], Origin: api.OriginAdded, Reading: true}
	if got := e.DocumentSources(served); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v", got)
	}
	for ev := range events {
		if ev.Kind == api.EventSources && ev.Message == api.SourceRead {
			break
		}
	}
	want.Reading, want.Documents = false, 1
	if got := e.DocumentSources(nil); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v", got)
	}
	session := t.TempDir()
	if got := e.DocumentSources([]api.DocumentFolder{{Root: session}}); len(got) != 2 ||
		got[0].Origin != api.OriginSession || got[1].Root != root {
		t.Errorf("%+v", got)
	}
	must(t, os.RemoveAll(root))
	if got := e.DocumentSources(nil); len(got) != 1 || got[0].Problem == "" || got[0].Root != root {
		t.Errorf("%+v", got)
	}
	if err := e.RemoveDocumentFolder(root); err != nil || len(e.DocumentSources(nil)) != 0 {
		t.Error(err)
	}
	if err := e.RemoveDocumentFolder(root); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
}

func TestEmptyArchiveIsRemoved(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	dir := tree(t, map[string]string{"a.md": "# A"})
	path, _ := e.Archive("", "")
	var files []int
	_, err := e.ImportArchive(t.Context(), path, dir, false, func(done, _ int) { files = append(files, done) })
	if err != nil || !slices.Equal(files, []int{0, 1}) {
		t.Fatal(files, err)
	}
	if info, err := e.ArchiveInfo(t.Context(), path); err != nil || !info.Exists || info.Documents != 1 ||
		info.Problem != "" {
		t.Errorf("%+v %v", info, err)
	}
	if _, err := e.RemoveFromArchive(t.Context(), path, "/nowhere"); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
	if info, err := e.RemoveFromArchive(t.Context(), path, dir); err != nil || info.Exists || info.Documents != 0 {
		t.Errorf("%+v %v", info, err)
	}
	if _, exists := e.Archive("", ""); exists {
		t.Error("an archive without documents is served")
	}
	foreign := filepath.Join(dir, "foreign.db")
	write(t, foreign, "no archive at all")
	if info, err := e.ArchiveInfo(t.Context(), foreign); err != nil || info.Problem != "The archive database is damaged: "+
		foreign+" is too short." {
		t.Errorf("%+v %v", info, err)
	}
}

func TestNamedIndexesAreListed(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	must(t, e.NamedCreate(api.NamedIndex{Name: "notes", Backend: "memory", Lowercase: true, MinLength: 2}))
	if _, _, err := e.NamedAdd("notes", "a", "some words", nil); err != nil {
		t.Fatal(err)
	}
	l := e.NamedIndexes()
	if len(l.Indexes) != 2 || l.Indexes[0].Name != "default" || l.Indexes[1].Name != "notes" ||
		l.Indexes[1].Documents != 1 || l.Indexes[1].Bytes == 0 ||
		l.Bytes < l.Indexes[1].Bytes || l.Limit != 64<<20 {
		t.Errorf("%+v", l)
	}
	if err := e.RemoveNamed("notes"); err != nil || len(e.NamedIndexes().Indexes) != 1 || e.NamedIndexes().Bytes != 0 {
		t.Errorf("%v %+v", err, e.NamedIndexes())
	}
	if err := e.RemoveNamed("notes"); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
}

func TestDocumentFoldersSetting(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	root := tree(t, nil)
	top := filepath.VolumeName(root) + string(filepath.Separator)
	must(t, second(e.SetSettings(map[string]any{settings.Folders: strings.Join([]string{
		root, filepath.Join(top, "nowhere", "at", "all"), top, ""}, "\n")})))
	if got := e.DocumentFolders(); !slices.Equal(got, []string{root}) {
		t.Error(got)
	}
}

// A home folder is imported only if the user was asked twice.
func TestArchiveOfHome(t *testing.T) {
	e := openOpt(t, t.TempDir(), nil)
	home := tree(t, nil)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	write(t, filepath.Join(home, "a.md"), "# A")
	path, _ := e.Archive("", "")
	if _, err := e.ImportArchive(t.Context(), path, home, false, nil); api.CodeOf(err) != api.ConfirmationRequired {
		t.Errorf("not asked: %v", err)
	}
	if _, exists := e.Archive("", ""); exists {
		t.Error("the archive was created before the user agreed")
	}
	if r, err := e.ImportArchive(t.Context(), path, home, true, nil); err != nil || r.Documents != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestDocumentFolderWatched(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	top := tree(t, nil)
	root := filepath.Join(top, "docs")
	write(t, filepath.Join(root, "a.md"), "# A")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events := e.Subscribe(ctx)
	heard := func(what string) {
		t.Helper()
		for ev := range events {
			if ev.Kind == api.EventSources && ev.Message == api.SourceDocuments {
				return
			}
		}
		t.Fatalf("no event for %s", what)
	}
	folders := []api.DocumentFolder{{Root: root}}
	if list, err := e.Documents(ctx, folders); err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	write(t, filepath.Join(root, "sub", "b.md"), "# B")
	heard("a new document")
	must(t, os.Rename(root, root+"-away"))
	heard("the folder's end")
	must(t, os.Rename(root+"-away", root))
	heard("its return")
	if list, err := e.Documents(ctx, folders); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

func TestDocumentsRankedAsSearchDocs(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	root := tree(t, map[string]string{
		"guide/install.md": "# Install\n\nHow to install the tool, and where the configuration goes.\n",
		"notes.md":         "# Notes\n\nconfiguration configuration configuration of something else\n",
		"deep/config.md":   "# Configuration\n\nEvery field of the configuration file with its default.\n",
		"old/changes.txt":  "Changes\n\nThe configuration file was renamed.\n",
		"page.html":        "<title>Page</title><p>configuration file</p>",
	})
	create(t, e, root)
	for _, session := range [][]api.DocumentFolder{nil, {{Root: root}}} {
		if got := e.DocumentSources(session); len(got) != 1 || got[0].Root != root || got[0].Origin != api.OriginProject ||
			got[0].Problem != "" {
			t.Errorf("%+v", got)
		}
	}
	asked := "where is the configuration file"
	r, err := e.Search(t.Context(), []string{root}, api.Query{Text: asked, Corpus: api.CorpusDocs, TopK: api.MaxTopK,
		Detail: api.DetailExcerpt})
	must(t, err)
	var want []string
	for _, h := range r.Hits {
		if !slices.Contains(want, h.Path) {
			want = append(want, h.Path)
		}
	}
	text, _, err := e.SearchDocuments(t.Context(), []api.DocumentFolder{{Root: root}}, api.DocumentQuery{Text: asked,
		In: "both", Limit: 10})
	must(t, err)
	var got []string
	for _, m := range regexp.MustCompile(`docs://(\S+) - `).FindAllStringSubmatch(text, -1) {
		if m[1] != "page.html" {
			got = append(got, m[1])
		}
	}
	if len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("search_documents %v, search_docs %v\n%s", got, want, text)
	}
	text, _, err = e.SearchDocuments(t.Context(), []api.DocumentFolder{{Root: root}}, api.DocumentQuery{Text: asked,
		In: "both", Limit: 10, FileTypes: slices.Repeat([]string{"ä"}, 9000)})
	if err != nil || len(text) > 500 || !utf8.ValidString(text) || !strings.Contains(text, "file type .ä, .ä, .ä") {
		t.Errorf("unknown file types: %d bytes, %v: %.300s", len(text), err, text)
	}
}

func TestUnreadDocuments(t *testing.T) {
	t.Parallel()
	e := openOpt(t, t.TempDir(), nil)
	dir := tree(t, nil)
	write(t, filepath.Join(dir, "deep.md"), strings.Repeat("*a_ ", 600_000)) // takes more than two seconds to parse
	write(t, filepath.Join(dir, "a.md"), "# A")
	path, _ := e.Archive("", "")
	if r, err := e.ImportArchive(t.Context(), path, dir, false, nil); err != nil || r.Documents != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := e.Unread(); !slices.Equal(got, []string{"deep.md"}) {
		t.Errorf("named: %q", got)
	}
	if !slices.ContainsFunc(examined(t, e, ""), func(f api.Finding) bool {
		return f.Subject == "documents" && strings.Contains(f.Text, "deep.md")
	}) {
		t.Error("doctor does not name it")
	}
}
