package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
	"searchmcp/engine/store/files"
)

// The error for a project without documentation suggests an alternative.
func TestDocsErrorLeadsOut(t *testing.T) {
	t.Parallel()
	e, root := opened(t, map[string]string{"main.go": "package main\n"})
	for config, want := range map[string]string{"{}": "search_code covers all of its files",
		`{"indexDocs": false}`: "indexDocs is false"} {
		must(t, second(e.SetConfigText(t.Context(), root, config)))
		_, err := e.Search(t.Context(), []string{root}, api.Query{Text: "money", Corpus: api.CorpusDocs, TopK: 3})
		var docs *api.Error
		if !errors.As(err, &docs) || docs.Code != api.DocsIndexNotFound || !strings.Contains(docs.DeveloperMessage, want) ||
			!strings.HasPrefix(docs.DeveloperMessage, "DOCS_INDEX_NOT_FOUND: No docs index at ") ||
			strings.Contains(docs.DeveloperMessage, "~/.mcp") {
			t.Errorf("%s: %v", config, err)
		}
	}
}

// A missing folder is reported while the others are watched.
func TestFurtherFolder(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root, lib := tree(t, shop), tree(t, map[string]string{"money/round.go": "package money\n"})
	create(t, e, root)
	before := status(t, e, root)
	must(t, second(e.AddRoot(t.Context(), root, lib, "lib")))
	if _, err := e.AddRoot(t.Context(), root, filepath.Join(lib, "money"), "inner"); err == nil {
		t.Error("an overlapping folder was added")
	}
	reaches(t, e, root, "watching", func(p api.Project) bool { return p.WatcherActive && p.Files > before.Files })
	must(t, os.Rename(lib, lib+".away"))
	reaches(t, e, root, "the note", func(p api.Project) bool {
		return p.WatcherNote == "The folder @lib of this project is missing or can't be read. "+
			"Search MCP keeps checking for it."
	})
	write(t, filepath.Join(root, "pay/new.go"), "package pay\n\nfunc Zwiebelfisch() {}\n")
	eventually(t, e, "a change in the other", func() bool { return len(find(t, e, root, "Zwiebelfisch").Hits) > 0 })
	if p, err := e.RemoveRoot(t.Context(), root, "lib"); err != nil || len(p.Roots) != 1 {
		t.Errorf("%+v, %v", p.Roots, err)
	}
}

func TestFullDiskBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	for free, full := range map[int64]bool{10 << 20: true, 50 << 20: false} { // enough for a small project
		e := openOpt(t, t.TempDir(), func(o *Options) { o.free = func(string) (int64, error) { return free, nil } })
		p, err := e.Preview(t.Context(), tree(t, shop))
		if err != nil || p.Files == 0 || full != (p.Problem != nil && p.Problem.Code == api.DiskFull) {
			t.Errorf("with %d bytes: %+v, %v", free, p, err)
		}
	}
}

// A start indexes only the changes committed meanwhile.
func TestGitDefersUncommittedAcrossRestarts(t *testing.T) {
	t.Parallel()
	data, root := t.TempDir(), tree(t, shop)
	write(t, filepath.Join(data, files.ConfigName), `{"indexingStrategy": "git"}`)
	repotest.Git(t, root, "init", "-q")
	repotest.Git(t, root, "add", ".")
	repotest.Git(t, root, "commit", "-q", "-m", "one")
	e := open(t, data)
	create(t, e, root)
	has := func(name string) bool {
		r, err := e.Files(t.Context(), []string{root}, api.FileQuery{Pattern: name, Limit: 1})
		return err == nil && r.Total == 1
	}
	head := filepath.Join(e.Find(root).Dir(), "git-head.json")
	eventually(t, e, "the position of HEAD is kept", func() bool { _, err := os.Stat(head); return err == nil })

	closeEngine(t, e)
	write(t, filepath.Join(root, "draft.go"), "package draft\n")
	e = open(t, data)
	watched(t, e, root)
	write(t, filepath.Join(root, "second.go"), "package draft\n")
	reaches(t, e, root, "a change waits", func(p api.Project) bool { return p.Pending == 1 })
	if has("draft.go") {
		t.Error("uncommitted files were indexed at the start")
	}
	if r, err := e.Grep(t.Context(), []string{root}, api.GrepQuery{Pattern: "wombat"}); err != nil ||
		!strings.Contains(strings.Join(r.Notes, "\n"), "1 changed files will be indexed with the next commit") {
		t.Errorf("notes %q, %v", r.Notes, err)
	}
	repotest.Git(t, root, "add", "draft.go")
	repotest.Git(t, root, "commit", "-q", "-m", "two")
	eventually(t, e, "the commit is indexed", func() bool { return has("draft.go") })

	closeEngine(t, e)
	write(t, filepath.Join(root, "late.go"), "package late\n")
	repotest.Git(t, root, "add", ".")
	repotest.Git(t, root, "commit", "-q", "-m", "three")
	e = open(t, data)
	eventually(t, e, "the commit while nobody watched is indexed", func() bool { return has("late.go") })

	closeEngine(t, e)
	full := func(o *Options) { o.free = func(string) (int64, error) { return 0, nil } }
	e = openOpt(t, data, full)
	watched(t, e, root)
	write(t, filepath.Join(root, "unfinished.go"), "package late\n")
	repotest.Git(t, root, "add", ".")
	repotest.Git(t, root, "commit", "-q", "-m", "four")
	awaitState(t, e, root, api.StateStalled)
	closeEngine(t, e)
	e = open(t, data)
	eventually(t, e, "the commit that the end interrupted is indexed", func() bool { return has("unfinished.go") })
}

type slowModel struct {
	hashModel
	wait chan struct{}
}

func (m *slowModel) Texts(ctx context.Context, texts []string, each func(i int, v api.Vector)) error {
	select {
	case <-m.wait:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return m.hashModel.Texts(ctx, texts, each)
}

// create_index joins a job that is still computing vectors.
func TestRemainingVectorsAreAJob(t *testing.T) {
	t.Parallel()
	data, root := t.TempDir(), manyFiles(t, 60)
	wait := make(chan struct{})
	slow := func(o *Options) { o.model = &slowModel{wait: wait} }
	e := openOpt(t, data, slow)
	j, err := e.Create(t.Context(), root, api.Approval{})
	must(t, err)
	eventually(t, e, "the text", func() bool { return j.Progress().Phase == api.PhaseEmbedding })
	closeEngine(t, e)
	e = openOpt(t, data, slow)
	again, running := e.Running(root, api.ActionCreate)
	if !running {
		t.Fatal("no job")
	}
	joined, err := e.Create(t.Context(), root, api.Approval{})
	if err != nil || joined.ID() != again.ID() {
		t.Errorf("%v, %v", joined, err)
	}
	eventually(t, e, "its progress", func() bool {
		p := joined.Progress()
		return p.Phase == api.PhaseEmbedding && p.ChunksTotal > 0
	})
	close(wait)
	if s := finish(t, joined); s.FilesIndexed != 60 {
		t.Errorf("%+v", s)
	}
}
