package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"searchmcp/engine/host/native"
)

type Commit struct {
	Message string   // first maxMessage bytes
	Files   []string // slash-separated paths relative to folder, without deleted files
}

var ErrNoGit = errors.New("git is not installed")

// maxFiles is the maximum number of files of a returned commit. Limits of 10, 20 and 50 did not improve search results.
const maxFiles = 30

// Limits that protect against a hostile repository.
const (
	maxMessage = 4 << 10   // bytes of a message
	maxName    = 4 << 10   // bytes of a path
	maxOutput  = 256 << 20 // bytes of output, enough for most repositories
	maxMemory  = 512 << 20 // bytes of memory; the Linux kernel's history needs a tenth
)

var object = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

var errEnough = errors.New("enough commits")

// Commits returns the newest n commits up to HEAD that changed files below folder. It skips merges, and commits that
// changed more than maxFiles files. In a shallow or partial clone, the history ends at the first missing object. If ctx
// ends, Commits returns the commits read so far and the error.
//
// The git program reads the commits, because its parsers are hardened. For security, it runs in an empty temporary
// repository that refers to the user's objects. It never reads the user's configuration, hooks, attributes or
// references.
func Commits(ctx context.Context, folder string, n int) ([]Commit, error) {
	g, err := Above(folder)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(g.top, folder)
	var head Head
	if err == nil {
		head, err = g.Head()
	}
	var commits []Commit
	if err == nil && object.MatchString(head.commit) { // otherwise the repository has no commits
		commits, err = g.log(ctx, head.commit, filepath.ToSlash(below), n)
	}
	if err != nil {
		return commits, fmt.Errorf("read git history: %w", err)
	}
	return commits, nil
}

// statusFatal is git's exit status for fatal errors, such as a missing object.
const statusFatal = 128

func (g Git) partial() bool {
	_, err := os.Stat(filepath.Join(g.Common, "shallow"))
	promised, _ := filepath.Glob(filepath.Join(g.Common, "objects", "pack", "*.promisor"))
	return err == nil || len(promised) > 0
}

func (g Git) log(ctx context.Context, head, below string, n int) ([]Commit, error) {
	objects := filepath.Join(g.Common, "objects")
	budget := maxFolders
	if err := checkObjects(objects, maxAlternates, &budget); err != nil {
		return nil, err
	}
	args := []string{"--no-pager", "--no-replace-objects", "log", "-z", "--raw", "-r", "--no-abbrev", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-mailmap", "--no-decorate", "--no-notes",
		"--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-merges", "--full-history", "--format=commit %B"}
	if below == "." {
		args = append(args, head, "--")
	} else {
		args = append(args, "--relative="+below+"/", head, "--", below)
	}
	var commits []Commit
	err := run(ctx, len(head), objects, nil, args, func(out io.Reader) error {
		all := io.LimitedReader{R: out, N: maxOutput}
		list := reading{in: bufio.NewReaderSize(&all, 64<<10), limit: n}
		err := list.all()
		commits = list.commits
		if err == nil && all.N == 0 {
			return errEnough
		}
		return err
	})
	var died *native.CrashError
	if errors.Is(err, errEnough) || errors.As(err, &died) && died.Status == statusFatal && g.partial() {
		err = nil
	}
	return commits, err
}

// run runs git in an empty repository and calls parse with git's output. objects is the folder of the object database,
// or "".
func run(ctx context.Context, digits int, objects string, env, args []string, parse func(io.Reader) error) error {
	program, err := Program()
	if err != nil {
		return err
	}
	own, err := emptyRepository(digits)
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	if objects == "" {
		objects = filepath.Join(own, "objects")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = own
	cmd.Env = append(environment(own, objects), env...)
	return native.Run(ctx, cmd, native.Limits{Memory: maxMemory, Apart: true}, parse)
}

func emptyRepository(digits int) (dir string, err error) {
	dir, err = os.MkdirTemp(native.TempDir(), "search-mcp-git-")
	if err != nil {
		return "", fmt.Errorf("make empty repository: %w", err)
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if digits == 64 {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	err = errors.Join(os.Mkdir(filepath.Join(dir, "objects"), 0o700), os.Mkdir(filepath.Join(dir, "refs"), 0o700),
		os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/none\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600))
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("make empty repository: %w", err)
	}
	return dir, nil
}

// environment returns the environment of git. For security, it omits this process's variables, because many of them
// make git run programs.
func environment(own, objects string) []string {
	env := []string{"GIT_DIR=" + own, "HOME=" + own, "XDG_CONFIG_HOME=" + own, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoted(objects), "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C",
		// Read packs in small parts, because the memory is limited.
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.packedGitWindowSize", "GIT_CONFIG_VALUE_0=16m",
		"GIT_CONFIG_KEY_1=core.packedGitLimit", "GIT_CONFIG_VALUE_1=128m"}
	for _, name := range []string{"SystemRoot", "TEMP", "TMP"} { // Windows programs require these
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// reading parses the output of git log. A zero byte ends each message and each path.
type reading struct {
	in      *bufio.Reader
	limit   int
	commits []Commit
	message string
	files   []string
	many    bool
}

func (r *reading) all() error {
	for len(r.commits) < r.limit {
		field, err := r.field(max(maxMessage, 200))
		if err != nil {
			r.end()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if message, ok := bytes.CutPrefix(field, []byte("commit ")); ok {
			r.end()
			r.message = string(message)
			continue
		}
		changed := bytes.Fields(field) // ":100644 100644 old new M"
		path, err := r.field(maxName)
		switch {
		case err != nil:
			return fmt.Errorf("parse output of git: %w", err)
		case len(changed) != 5:
			return fmt.Errorf("parse output of git: %d fields", len(changed))
		}
		mode, before, after := string(changed[1]), changed[2], changed[3]
		if mode == "000000" || mode == "160000" || bytes.Equal(before, after) {
			continue // deleted, a submodule, or a change of the mode only
		}
		if len(r.files) == maxFiles {
			r.many = true
			continue
		}
		r.files = append(r.files, string(path))
	}
	return errEnough
}

func (r *reading) end() {
	if len(r.files) > 0 && !r.many && len(r.commits) < r.limit {
		r.commits = append(r.commits, Commit{Message: r.message, Files: r.files})
	}
	r.message, r.files, r.many = "", nil, false
}

// field returns the bytes before the next zero byte, at most limit bytes. The next call overwrites the result.
func (r *reading) field(limit int) ([]byte, error) {
	var field []byte
	for {
		part, err := r.in.ReadSlice(0)
		if err == nil {
			part = part[:len(part)-1]
		}
		if field == nil && err == nil && len(part) <= limit {
			return part, nil
		}
		field = append(field, part[:min(len(part), max(0, limit-len(field)))]...)
		if err == nil {
			return field, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}
