package repo

import (
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/files/repo/repotest"
)

type name = [sha1.Size]byte

// loose writes an object of a kind and returns its name.
func loose(t testing.TB, git, kind, content string) name {
	t.Helper()
	object := fmt.Sprintf("%s %d\x00%s", kind, len(content), content)
	n := sha1.Sum([]byte(object))
	store(t, git, n, strings.NewReader(object))
	return n
}

func store(t testing.TB, git string, n name, object io.Reader) {
	t.Helper()
	h := hex.EncodeToString(n[:])
	file := filepath.Join(git, "objects", h[:2], h[2:])
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	f, err := os.Create(file)
	must(t, err)
	z := zlib.NewWriter(f)
	_, err = io.Copy(z, object)
	must(t, errors.Join(err, z.Close(), f.Close()))
}

func looseCommit(t testing.TB, git string, tree name, message string, parents ...name) name {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "tree %x\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %x\n", p)
	}
	const by = "A <a@example.org> 1700000000 +0000"
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s\n", by, by, message)
	return loose(t, git, "commit", b.String())
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// hostile has functions that add objects to the repository's folder git and return the commit for HEAD, or no name if
// they write HEAD.
var hostile = map[string]func(t testing.TB, git string) name{
	"altself": func(t testing.TB, git string) name {
		objects, err := filepath.Abs(filepath.Join(git, "objects"))
		must(t, err)
		text := strings.Repeat(objects+"\n../objects\n../../.git/objects\n", 20)
		must(t, os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(text), 0o600))
		return name{9}
	},
	"loosebomb": func(t testing.TB, git string) name {
		n := name{5}
		store(t, git, n, io.MultiReader(strings.NewReader("commit 200\x00"), io.LimitReader(zeros{}, 50<<20)))
		return n
	},
	// A valid repository of three commits. The second has 2^45 folders.
	"gitbomb": func(t testing.TB, git string) name {
		blob := loose(t, git, "blob", "x")
		tree := loose(t, git, "tree", fmt.Sprintf("100644 f\x00%s", blob[:]))
		for range 45 {
			tree = loose(t, git, "tree", fmt.Sprintf("40000 a\x00%s40000 b\x00%[1]s", tree[:]))
		}
		plain := loose(t, git, "tree", fmt.Sprintf("100644 a.go\x00%s", blob[:]))
		first := looseCommit(t, git, plain, "first")
		return looseCommit(t, git, plain, "gone", looseCommit(t, git, tree, "bomb", first))
	},
	"hugehead": func(t testing.TB, git string) name {
		must(t, errors.Join(os.WriteFile(filepath.Join(git, "HEAD"), nil, 0o600),
			os.Truncate(filepath.Join(git, "HEAD"), 64<<20)))
		return name{}
	},
	// Five commits with messages of 15 MB each.
	"messages": func(t testing.TB, git string) name {
		blob := loose(t, git, "blob", "x")
		var last []name
		for i := range 5 {
			tree := loose(t, git, "tree", fmt.Sprintf("100644 %d.go\x00%s", i, blob[:]))
			last = []name{looseCommit(t, git, tree, strings.Repeat("a", 15<<20), last...)}
		}
		return last[0]
	},
	"include": func(t testing.TB, git string) name {
		text := strings.Repeat("[include] path = config\n", 12)
		must(t, os.WriteFile(filepath.Join(git, "config"), []byte(text), 0o600))
		return name{4}
	},
}

func TestHostile(t *testing.T) {
	repotest.Need(t)
	for kind, write := range hostile {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			git := filepath.Join(dir, ".git")
			must(t, errors.Join(os.MkdirAll(filepath.Join(git, "refs", "heads"), 0o700),
				os.MkdirAll(filepath.Join(git, "objects", "info"), 0o700),
				os.WriteFile(filepath.Join(git, "config"), []byte("[core]\n\trepositoryformatversion = 0\n"), 0o600)))
			if n := write(t, git); n != (name{}) {
				must(t, os.WriteFile(filepath.Join(git, "HEAD"), []byte(hex.EncodeToString(n[:])+"\n"), 0o600))
			}
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			begun := time.Now()
			commits, err := Commits(ctx, dir, 1000)
			took := time.Since(begun)
			runtime.ReadMemStats(&after)
			t.Logf("%d commits, %v, %s", len(commits), err, took.Round(time.Millisecond))
			if err == nil && len(commits) == 0 && kind != "hugehead" {
				t.Error("nothing was read, but no error was returned")
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 20 {
				t.Errorf("%d MB were allocated here", mb)
			}
			if took > 30*time.Second {
				t.Errorf("took %s, 2 s were given", took)
			}
		})
	}
}

func TestLargeFolders(t *testing.T) {
	repotest.Need(t)
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		repotest.Git(t, dir, "init", "-q", "--object-format="+format)
		for i := range 600 {
			must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("a_rather_long_name_of_a_file_%d.go", i)), nil, 0o600))
		}
		commit(t, dir, "all of them", "b.go")
		commit(t, dir, "repair b", "b.go")
		commit(t, dir, "repair c", "c.go")
		shared := filepath.Join(t.TempDir(), `sha"red:x`)
		repotest.Git(t, dir, "clone", "-q", "--shared", dir, shared)
		for _, when := range []string{"loose", "packed"} {
			for _, folder := range []string{dir, shared} {
				got, err := Commits(t.Context(), folder, 100)
				if want := "repair b: b.go\nrepair c: c.go"; err != nil || summary(got) != want {
					t.Errorf("%s, %s, %s: %v\n%s", format, when, filepath.Base(folder), err, summary(got))
				}
			}
			repotest.Git(t, dir, "gc", "-q")
		}
	}
}

func TestNothingIsRun(t *testing.T) {
	dir := repository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho x >>'"+ran+"'\n"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("* diff=evil filter=evil\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* diff=evil filter=evil\n"), 0o600))
	commit(t, dir, "attributes", "f.go")
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass",
		"diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "gpg.program", "gpg.ssh.program", "pager.log", "alias.log", "credential.helper",
		"core.gitProxy", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
		"interactive.diffFilter", "sequence.editor", "trace2.eventTarget"} {
		value := program
		if key == "alias.log" {
			value = "!" + program
		}
		repotest.Git(t, dir, "config", key, value)
	}
	for key, value := range map[string]string{"log.showSignature": "true", "extensions.partialClone": "origin",
		"remote.origin.promisor": "true", "remote.origin.url": "ext::" + program, "protocol.ext.allow": "always",
		"core.hooksPath": filepath.Dir(program), "core.repositoryformatversion": "1"} {
		repotest.Git(t, dir, "config", key, value)
	}
	must(t, os.MkdirAll(filepath.Join(dir, ".git", "objects", "pack"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, ".git", "objects", "pack", "pack-x.promisor"), nil, 0o600))
	tree := repotest.Git(t, dir, "rev-parse", "HEAD~2:sub")
	must(t, os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])))
	t.Setenv("GIT_EXTERNAL_DIFF", program)
	t.Setenv("GIT_SSH_COMMAND", program)
	t.Setenv("GIT_PAGER", program)
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor="+program+"'")
	got, err := Commits(t.Context(), dir, 100)
	if err != nil || len(got) == 0 {
		t.Errorf("%d commits, %v", len(got), err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository's was run")
	}
	must(t, os.WriteFile(filepath.Join(dir, "f.go"), []byte("changed"), 0o600))
	_ = exec.Command("git", "-C", dir, "diff").Run()
	if _, err := os.Stat(ran); err != nil {
		t.Error("the trap does not work: ", err)
	}
}
