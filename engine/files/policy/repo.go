package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// maxIgnoreFile limits the size of an ignore file or git configuration in bytes.
const maxIgnoreFile = 4 << 20

// repo is a git repository with the rules that apply to all of its files.
type repo struct {
	common string // git directory shared by all working trees
	base   *scope // rules in info/exclude, then in core.excludesFile
}

// IsRepository reports whether dir is the top of a git working tree. For security, .git and the git directory must
// belong to this user or root, as in git.
func IsRepository(dir string) bool {
	git, _, err := GitDir(dir)
	if err != nil {
		return false
	}
	info, err := os.Lstat(filepath.Join(dir, ".git")) // may be a link to another user's repository
	if err != nil || !trustedOwner(info) {
		return false
	}
	info, err = os.Stat(git)
	return err == nil && trustedOwner(info)
}

// GitDir returns the git directory of a working tree's top folder: .git, or the target of a .git file. common is the
// git directory that all working trees share. GitDir returns fs.ErrNotExist if HEAD is missing.
func GitDir(top string) (dir, common string, err error) {
	dir = filepath.Join(top, ".git")
	info, err := os.Stat(dir)
	if err != nil {
		return "", "", fmt.Errorf("look for git repository: %w", err)
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return "", "", fs.ErrNotExist
		}
		line, err := ReadSmall(dir)
		if err != nil {
			return "", "", err
		}
		target, ok := strings.CutPrefix(string(line), "gitdir:")
		if target = strings.TrimSpace(target); !ok || target == "" {
			return "", "", fs.ErrNotExist
		}
		dir = Absolute(top, target)
	}
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return "", "", fs.ErrNotExist
	}
	common = dir
	line, err := ReadSmall(filepath.Join(dir, "commondir"))
	switch target := strings.TrimSpace(string(line)); {
	case err == nil && target != "":
		common = Absolute(dir, target)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", "", err
	}
	if real, err := filepath.EvalSymlinks(common); err == nil {
		common = real
	}
	return dir, common, nil
}

// Absolute joins dir and target, a path with slashes. If target is absolute, Absolute returns target.
func Absolute(dir, target string) string {
	target = filepath.FromSlash(target)
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// isRepository reports whether d looks like a bare repository.
func (d *folder) isRepository() bool {
	for name, dir := range map[string]bool{"HEAD": false, "objects": true, "refs": true} {
		if info, err := d.root.Lstat(name); err != nil || info.IsDir() != dir {
			return false
		}
	}
	return true
}

func (p *Policy) Checkouts() bool {
	repo := p.state(".").repo
	if repo == nil {
		return false
	}
	_, err := os.Lstat(filepath.Join(repo.common, "index"))
	return errors.Is(err, fs.ErrNotExist)
}

func (c *cache) openRepo(dir, up string, down int, fold bool) *repo {
	_, common, err := GitDir(dir)
	if err != nil {
		return nil
	}
	r := &repo{common: common}
	r.base = c.external(c.excludesFile(common, dir), up, down, fold, nil)
	r.base = c.external(filepath.Join(common, "info", "exclude"), up, down, fold, r.base)
	return r
}

func (c *cache) external(file, up string, down int, fold bool, parent *scope) *scope {
	if file == "" {
		return parent
	}
	c.noteOutside(file)
	if file == os.DevNull {
		return parent
	}
	data, err := ReadSmall(file)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return parent
	case err != nil:
		c.problem(fmt.Errorf("read ignore file %s: %w", file, err))
		data = ignoreAll
	}
	return withList(parent, data, up, down, fold)
}

var ignoreAll = []byte("*\n")

func withList(parent *scope, data []byte, up string, down int, fold bool) *scope {
	patterns := parseIgnore(data, fold)
	if len(patterns) == 0 {
		return parent
	}
	return &scope{parent: parent, list: &ignoreList{up: up, down: down, patterns: patterns, fold: fold}}
}

// OpenRegular opens a file outside of projects. It follows links, but opens no pipe or device, which could block.
func OpenRegular(file string) (*os.File, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", file)
	}
	f, err := os.OpenFile(file, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		f.Close()
		return nil, fmt.Errorf("%s changed while it was opened", file)
	}
	return f, nil
}

// ReadSmall reads an ignore file or a file of git. It does not block on a pipe.
func ReadSmall(file string) ([]byte, error) {
	f, err := OpenRegular(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile+1))
	if err == nil && len(data) > maxIgnoreFile {
		err = errLongIgnore
	}
	return data, err
}

var errLongIgnore = fmt.Errorf("longer than %d MB", maxIgnoreFile>>20)

func homeDir() string {
	if dir := os.Getenv("HOME"); dir != "" {
		return dir
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "" // the user has no configuration
	}
	return dir
}

// excludesFile returns the absolute path of git's core.excludesFile, or of its default (gitignore(5)), or "".
func (c *cache) excludesFile(common, top string) string {
	home := homeDir()
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	var files []string
	if off := os.Getenv("GIT_CONFIG_NOSYSTEM"); runtime.GOOS != "windows" && (off == "" || off == "0" || off == "false") {
		files = append(files, "/etc/gitconfig")
	}
	if xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	if common != "" {
		files = append(files, filepath.Join(common, "config"))
	}
	value, set := "", false
	for _, file := range files {
		g := gitConfig{home: home, git: common, budget: maxConfigFiles, read: c.noteOutside}
		if v, ok := g.excludesFile(file, 0); ok {
			value, set = v, true
		}
	}
	switch {
	case !set && xdg == "":
		return ""
	case !set:
		return filepath.Join(xdg, "git", "ignore")
	case value == "":
		return ""
	}
	if top == "" {
		top = home
	}
	return Absolute(top, expandHome(value, home))
}

func expandHome(value, home string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		return filepath.Join(home, filepath.FromSlash(rest))
	}
	return value
}

const (
	maxIncludes    = 10  // git's limit on nested includes
	maxConfigFiles = 100 // for files that include themselves
)

type gitConfig struct {
	home, git string
	budget    int
	read      func(file string)
}

// excludesFile reads core.excludesFile from a configuration and its includes.
func (g *gitConfig) excludesFile(file string, depth int) (value string, set bool) {
	if g.budget--; g.budget < 0 || depth > maxIncludes {
		return "", false
	}
	g.read(file)
	data, err := ReadSmall(file)
	if err != nil {
		return "", false
	}
	section, condition := "", ""
	for line := range bytes.Lines(continued.ReplaceAll(data, []byte("$1"))) {
		line := strings.TrimSpace(string(line))
		if strings.HasPrefix(line, "[") {
			end := strings.IndexByte(line, ']')
			if quoted := strings.Index(line, `"]`); quoted >= 0 {
				end = quoted + 1
			}
			if end < 0 {
				continue
			}
			section, condition, _ = strings.Cut(line[1:end], `"`)
			section, condition = strings.ToLower(strings.TrimSpace(section)), strings.TrimSuffix(condition, `"`)
			line = strings.TrimSpace(line[end+1:])
		}
		name, raw, _ := strings.Cut(line, "=")
		switch name = strings.ToLower(strings.TrimSpace(name)); {
		case section == "core" && name == "excludesfile":
			value, set = configString(raw), true
		case name == "path" && (section == "include" || section == "includeif" && g.applies(condition, file)):
			included := Absolute(filepath.Dir(file), expandHome(configString(raw), g.home))
			if v, ok := g.excludesFile(included, depth+1); ok {
				value, set = v, true
			}
		}
	}
	return value, set
}

// applies reports whether the condition of an includeIf is true. It supports conditions on the git directory and on the
// branch.
func (g *gitConfig) applies(condition, file string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	if g.git == "" || pattern == "" {
		return false
	}
	name, fold := filepath.ToSlash(g.git), kind == "gitdir/i"
	switch kind {
	case "gitdir", "gitdir/i":
		if rest, ok := strings.CutPrefix(pattern, "./"); ok {
			pattern = filepath.ToSlash(filepath.Dir(file)) + "/" + rest
		} else if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
			pattern = filepath.ToSlash(g.home) + "/" + rest
		} else if !filepath.IsAbs(filepath.FromSlash(pattern)) {
			pattern = "**/" + pattern
		}
		if fold {
			name = lower(name)
		}
	case "onbranch":
		head, err := ReadSmall(filepath.Join(g.git, "HEAD"))
		branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
		if err != nil || !ok {
			return false
		}
		name = branch
	default:
		return false
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	w, ok := compileWild(pattern, fold)
	return ok && w.match(name)
}

var continued = regexp.MustCompile(`(?m)(^|[^\\])\\\r?\n`)

func configString(raw string) string {
	var b strings.Builder
	quoted, kept := false, 0
	raw = strings.TrimLeft(raw, " \t")
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
			kept = b.Len()
			continue
		case c == '\\' && i+1 < len(raw):
			i++
			switch raw[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(raw[i])
			}
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:kept]
		default:
			b.WriteByte(c)
			if !quoted && (c == ' ' || c == '\t') {
				continue
			}
		}
		kept = b.Len()
	}
	return b.String()[:kept]
}
