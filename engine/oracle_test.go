package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// The oracle computes the expected contents of an index from the files and docs/specification.md. It shares no code
// with scan, policy and chunker.

type diskFile struct {
	path   string
	corpus api.Corpus
	hash   string
	lines  []string
}

// RFC 5.2's hard deny list: folder names and name patterns.
var (
	deniedFolders = strings.Fields(`node_modules jspm_packages bower_components vendor .venv venv .git .hg .svn dist
		build out target __pycache__ .next .nuxt .idea .vscode coverage .nyc_output .pytest_cache`)
	deniedNames = strings.Fields(`.env .env.* *.pem *.key *.p12 *.pfx *.log *.lock package-lock.json yarn.lock
		pnpm-lock.yaml Gemfile.lock poetry.lock .DS_Store *.swp *.swo`)
	knownSecrets   = strings.Fields(`id_rsa id_dsa id_ecdsa id_ed25519 .netrc .npmrc .pypirc credentials credentials.json`)
	binaryEndings  = strings.Fields(`.png .jpg .gif .ico .pdf .zip .gz .so .exe`)
	privateKeyLine = regexp.MustCompile(`(?m)^-----BEGIN [A-Z ]*PRIVATE KEY-----$`)
)

func filesOfDisk(t testing.TB, roots []api.Root, cfg api.Config) []diskFile {
	t.Helper()
	var out []diskFile
	for _, r := range roots {
		prefix := ""
		if r.Name != "" {
			prefix = "@" + r.Name + "/"
		}
		out = append(out, filesOfRoot(t, r.Path, prefix, cfg)...)
	}
	slices.SortFunc(out, func(a, b diskFile) int { return cmp.Compare(a.path, b.path) })
	return out
}

func filesOfRoot(t testing.TB, root, prefix string, cfg api.Config) []diskFile {
	t.Helper()
	include, exclude, docs := globs(cfg.Include), globs(cfg.Exclude), globs(cfg.DocPatterns)
	if hidesAll(root) {
		return nil
	}
	ignored := gitsOpinion(t, root, cfg.RespectGitignore)
	var out []diskFile
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, file)
		if err != nil || rel == "." {
			return err
		}
		rel = filepath.ToSlash(rel)
		for _, pattern := range deniedNames {
			if is, _ := path.Match(pattern, d.Name()); is {
				return skip(d)
			}
		}
		switch {
		case d.IsDir() && (slices.Contains(deniedFolders, d.Name()) || ignored.folders[rel] || hidesAll(file)):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular():
			return nil
		case exclude(rel) || ignored.files[rel] || !include(rel) || docs(rel) && !cfg.IndexDocs:
			return nil
		case slices.Contains(knownSecrets, d.Name()) || path.Ext(d.Name()) == ".env" ||
			slices.Contains(binaryEndings, path.Ext(d.Name())):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil // removed or unreadable
		}
		long := int64(len(text)) > cfg.MaxFileSize
		binary := bytes.IndexByte(text[:min(len(text), 8192)], 0) >= 0
		prose := path.Ext(rel) == ".md" // a key in it is an example
		if binary || long || privateKeyLine.Match(text) && !prose {
			return nil
		}
		text = bytes.ReplaceAll(text, []byte{0}, nil) // after the first 8 KB
		sum := sha256.Sum256(text)
		f := diskFile{path: prefix + rel, corpus: api.CorpusCode, hash: hex.EncodeToString(sum[:])}
		f.lines = strings.Split(string(text), "\n")
		if docs(rel) {
			f.corpus = api.CorpusDocs
		}
		out = append(out, f)
		return nil
	})
	must(t, err)
	return out
}

// hidesAll reports whether a folder's .searchignore can't be read.
func hidesAll(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".searchignore"))
	return err == nil && !info.Mode().IsRegular()
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// globs matches with another library than the policy.
func globs(patterns []string) func(rel string) bool {
	return func(rel string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			matches, _ := doublestar.Match(p, rel) // the patterns of the tests are valid
			return matches
		})
	}
}

// opinion also excludes files inside ignored folders.
type opinion struct{ folders, files map[string]bool }

// gitsOpinion evaluates ignore files with git, including .searchignore.
func gitsOpinion(t testing.TB, root string, respect bool) opinion {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil && runtime.GOOS == "windows" {
		return withoutGit(t, root, respect)
	}
	dir := filepath.Join(root, ".git")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = t.TempDir() // .gitignore applies without a repository too
		if out, err := exec.Command("git", "init", "-q", "--bare", dir).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v\n%s", err, out)
		}
	}
	scratch := t.TempDir()
	list := func(args ...string) map[string]bool {
		args = append([]string{"--git-dir", dir, "--work-tree", root, "ls-files", "-z", "--others"}, args...)
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(scratch, "none")) // ignore which files git tracks
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, stderr.Bytes())
		}
		set := map[string]bool{}
		for p := range strings.SplitSeq(string(out), "\x00") {
			set[p] = true
		}
		return set
	}
	o := opinion{folders: map[string]bool{}, files: list("--ignored", "--exclude-per-directory=.searchignore")}
	if !respect {
		return o
	}
	for p := range list("--ignored", "--exclude-standard") {
		o.files[p] = true
	}
	for p := range list("--ignored", "--exclude-standard", "--directory") {
		if folder, is := strings.CutSuffix(p, "/"); is {
			o.folders[folder] = true
		}
	}
	return o
}

// withoutGit evaluates ignore files at the root that contain only names of folders, because Wine has no git.
func withoutGit(t testing.TB, root string, respect bool) opinion {
	t.Helper()
	o := opinion{folders: map[string]bool{}}
	for _, file := range []string{".gitignore", ".searchignore"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || file == ".gitignore" && !respect {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name, folder := strings.CutSuffix(strings.TrimSpace(line), "/")
			if !folder {
				t.Fatalf("without git, %q in %s is unknown", line, file)
			}
			o.folders[name] = true
		}
	}
	return o
}

// untruth describes the first difference between an index and the files, in the set of files or in a line, or returns
// "".
func untruth(ctx context.Context, s *store.Store, got []row, want []diskFile) (string, error) {
	var b strings.Builder
	index := map[string]row{}
	for _, r := range got {
		index[r.Path] = r
	}
	view := s.View()
	defer view.Release()
	for _, f := range want {
		r, is := index[f.path]
		delete(index, f.path)
		switch {
		case !is:
			fmt.Fprintf(&b, "\n  %s: not indexed, should be", f.path)
			continue
		case r.Corpus != f.corpus || r.Hash != f.hash:
			fmt.Fprintf(&b, "\n  %s: %s %.8s, want %s %.8s", f.path, r.Corpus, r.Hash, f.corpus, f.hash)
			continue
		}
		ids := strings.Fields(r.Chunks)
		chunks, err := view.Chunks(ctx, r.Corpus, ids)
		if err != nil {
			return "", err
		}
		if len(chunks) != len(ids) {
			fmt.Fprintf(&b, "\n  %s: %d chunks of %d ids", f.path, len(chunks), len(ids))
		}
		if wrong := f.wrong(chunks); wrong != "" {
			fmt.Fprintf(&b, "\n  %s: %s", f.path, wrong)
		}
	}
	for p := range index {
		fmt.Fprintf(&b, "\n  %s: indexed, should not be", p)
	}
	return b.String(), nil
}

// wrong describes the first error in a file's chunks. It ignores outlines, and white space at the ends of chunks.
func (f diskFile) wrong(chunks map[string]api.Chunk) string {
	found := make([]int, len(f.lines)) // bytes of each line found in some row
	outlines := 0
	for id, c := range chunks {
		if c.ID != id || c.Path != f.path || c.ContentHash != f.hash {
			return fmt.Sprintf("the chunk %s says it is %s of %s %.8s", id, c.ID, c.Path, c.ContentHash)
		}
		if c.StartLine == 0 {
			if outlines++; outlines > 1 || c.EndLine != 0 || f.corpus == api.CorpusDocs {
				return fmt.Sprintf("a row without lines that should not be: %.60q", c.Text)
			}
			continue
		}
		lines := strings.Split(c.Text, "\n")
		if c.EndLine > len(f.lines) || c.EndLine-c.StartLine+1 != len(lines) {
			return fmt.Sprintf("lines %d to %d of %d have %d of text", c.StartLine, c.EndLine, len(f.lines), len(lines))
		}
		for i, line := range lines {
			n := c.StartLine + i - 1
			has, is := strings.TrimSpace(f.lines[n]), strings.TrimSpace(line)
			first, last := i == 0, i == len(lines)-1
			part := first && strings.HasSuffix(has, is) || last && strings.HasPrefix(has, is) ||
				first && last && strings.Contains(has, is) // part of a long line
			if has != is && !part {
				return fmt.Sprintf("line %d is %.60q in its row, %.60q in the file", n+1, line, f.lines[n])
			}
			found[n] += len(is)
		}
	}
	for n, line := range f.lines {
		if found[n] < len(strings.TrimSpace(line)) {
			return fmt.Sprintf("line %d stands in no row: %.60q", n+1, line)
		}
	}
	return ""
}
