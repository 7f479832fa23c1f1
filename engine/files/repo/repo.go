package repo

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/engine/files/policy"
)

type Git struct {
	Dir    string // folder of the file HEAD, such as .git
	Common string // folder shared by all working trees, with references and objects
	top    string // top folder of the working tree
}

var ErrNone = errors.New("no git repository")

func At(folder string) (Git, error) {
	dir, common, err := policy.GitDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNone
	}
	return Git{Dir: dir, Common: common, top: folder}, err
}

// Above returns the git repository of folder or of its closest parent with a repository.
func Above(folder string) (Git, error) {
	for {
		r, err := At(folder)
		if !errors.Is(err, ErrNone) {
			return r, err
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return Git{}, ErrNone
		}
		folder = parent
	}
}

const (
	maxSymbolic   = 5         // git's limit on chains of references
	maxPackedRefs = 128 << 20 // maximum bytes read of packed-refs, enough for a million references
)

// Head is the state of HEAD. If two values differ, HEAD has moved.
type Head struct {
	symbolic string // content of the file HEAD: a branch or a commit
	commit   string // commit of the branch; "" before the first commit
	reflog   int64  // size in bytes
	tables   string // content of tables.list in a repository with the reftable format
}

// Head returns the current state of HEAD.
func (r Git) Head() (Head, error) {
	text, err := policy.ReadSmall(filepath.Join(r.Dir, "HEAD"))
	if err != nil {
		return Head{}, fmt.Errorf("read git file: %w", err)
	}
	head := strings.TrimSpace(string(text))
	h := Head{symbolic: head, commit: head}
	for range maxSymbolic {
		if ref, ok := strings.CutPrefix(h.commit, "ref: "); ok {
			h.commit = r.ref(ref)
		}
	}
	if fi, err := os.Stat(filepath.Join(r.Dir, "logs", "HEAD")); err == nil {
		h.reflog = fi.Size()
	}
	if tables, err := policy.ReadSmall(filepath.Join(r.Common, "reftable", "tables.list")); err == nil {
		h.tables = string(tables)
	}
	return h, nil
}

func (r Git) ref(name string) string {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	if text, err := policy.ReadSmall(filepath.Join(r.Common, filepath.FromSlash(name))); err == nil {
		return strings.TrimSpace(string(text))
	}
	packed, err := policy.OpenRegular(filepath.Join(r.Common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer packed.Close() // read-only
	for lines := bufio.NewScanner(io.LimitReader(packed, maxPackedRefs)); lines.Scan(); {
		if commit, ref, ok := strings.Cut(strings.TrimSpace(lines.Text()), " "); ok && ref == name {
			return commit
		}
	}
	return ""
}

func (r Git) Folders(h Head) []string {
	list := []string{r.Dir, filepath.Join(r.Dir, "logs"), r.Common}
	if ref, ok := strings.CutPrefix(h.symbolic, "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
		list = append(list, filepath.Join(r.Common, filepath.Dir(filepath.FromSlash(ref))))
	}
	return append(list, filepath.Join(r.Common, "reftable"))
}

func (h Head) String() string {
	return strings.Join([]string{h.symbolic, h.commit, fmt.Sprint(h.reflog), h.tables}, "\n")
}
