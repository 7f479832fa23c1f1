// Package recent finds the folders that a person opened last in their editors, from the lists that the editors keep, so that
// the first project need not be looked for. It only reads, and what it can't read it leaves out: the folders are an offer. It
// knows no project and no window, starts nothing and has no locks.
package recent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Folder is a folder and the editor that opened it.
type Folder struct {
	Dir, Editor string
	Opened      time.Time // as well as the editor tells
}

// Machine is the computer as far as editors' lists depend on it.
type Machine struct {
	OS, Home string
	Getenv   func(string) string
}

// Local is this computer.
func Local() *Machine {
	home, _ := os.UserHomeDir() // "": nothing will be found
	return &Machine{OS: runtime.GOOS, Home: home, Getenv: os.Getenv}
}

const (
	maxList    = 8 << 20 // bytes of an editor's list; theirs are far smaller
	maxFolders = 20      // of them all
)

// Folders lists the folders that are still there, the last opened first, each once. Home folders and what is above them are
// left out: nobody means them.
func (m *Machine) Folders(ctx context.Context) []Folder {
	if m.Home == "" {
		return nil
	}
	var all []Folder
	for _, list := range []func() []Folder{m.code, m.claude, m.codex, m.jetbrains} {
		if ctx.Err() != nil {
			return nil
		}
		all = append(all, list()...)
	}
	slices.SortStableFunc(all, func(a, b Folder) int {
		return cmp.Or(b.Opened.Compare(a.Opened), strings.Compare(a.Dir, b.Dir))
	})
	var found []Folder
	for _, f := range all {
		f.Dir = filepath.Clean(f.Dir)
		if len(found) == maxFolders {
			break
		}
		if m.project(f.Dir) && !slices.ContainsFunc(found, func(x Folder) bool { return x.Dir == f.Dir }) {
			found = append(found, f)
		}
	}
	return found
}

// project reports whether a folder can be one that somebody works in.
func (m *Machine) project(dir string) bool {
	if !filepath.IsAbs(dir) || dir == m.Home || strings.HasPrefix(m.Home, dir+string(filepath.Separator)) || dir == filepath.Dir(dir) {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func (m *Machine) in(names ...string) string {
	return filepath.Join(append([]string{m.Home}, names...)...)
}

// settings is where desktop programs keep their settings.
func (m *Machine) settings() string {
	switch m.OS {
	case "windows":
		if dir := m.Getenv("APPDATA"); filepath.IsAbs(dir) {
			return dir
		}
		return m.in("AppData", "Roaming")
	case "darwin":
		return m.in("Library", "Application Support")
	}
	if dir := m.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return m.in(".config")
}

// family are VS Code and the editors that were made of it: they keep a folder for each workspace.
var family = []struct{ folder, name string }{
	{"Code", "VS Code"}, {"Code - Insiders", "VS Code"}, {"VSCodium", "VSCodium"}, {"Cursor", "Cursor"}, {"Windsurf", "Windsurf"},
	{"Antigravity", "Antigravity"},
}

func (m *Machine) code() []Folder {
	var list []Folder
	for _, e := range family {
		files, err := filepath.Glob(filepath.Join(m.settings(), e.folder, "User", "workspaceStorage", "*", "workspace.json"))
		if err != nil {
			continue
		}
		for _, file := range files {
			var w struct{ Folder string }
			if !readJSON(file, &w) {
				continue
			}
			if dir, ok := fromURI(w.Folder); ok {
				list = append(list, Folder{dir, e.name, modified(filepath.Dir(file))})
			}
		}
	}
	return list
}

// claude is Claude Code, which keeps a transcript folder for each project.
func (m *Machine) claude() []Folder {
	dir := m.Home
	config := m.in(".claude")
	if d := m.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(d) {
		dir, config = d, d
	}
	var file struct{ Projects map[string]json.RawMessage }
	if !readJSON(filepath.Join(dir, ".claude.json"), &file) {
		return nil
	}
	var list []Folder
	for path := range file.Projects {
		list = append(list, Folder{path, "Claude Code", modified(filepath.Join(config, "projects", transcript.ReplaceAllString(path, "-")))})
	}
	return list
}

// transcript is what Claude Code replaces in a path to name a folder by it.
var transcript = regexp.MustCompile(`[^A-Za-z0-9]`)

// codexProject is a table of Codex's configuration: [projects."/code/shop"].
var codexProject = regexp.MustCompile(`(?m)^\s*\[projects\.("(?:[^"\\]|\\.)*"|'[^']*')\]`)

func (m *Machine) codex() []Folder {
	dir := m.in(".codex")
	if d := m.Getenv("CODEX_HOME"); filepath.IsAbs(d) {
		dir = d
	}
	file := filepath.Join(dir, "config.toml")
	data, ok := read(file)
	if !ok {
		return nil
	}
	var list []Folder
	for _, match := range codexProject.FindAllSubmatch(data, -1) {
		name := string(match[1])
		path := strings.Trim(name, "'")
		if strings.HasPrefix(name, `"`) {
			var err error
			if path, err = strconv.Unquote(name); err != nil {
				continue
			}
		}
		list = append(list, Folder{path, "Codex", modified(file)})
	}
	return list
}

// jetbrains reads the lists of all JetBrains editors; the folder of each names product and release.
func (m *Machine) jetbrains() []Folder {
	files, err := filepath.Glob(filepath.Join(m.settings(), "JetBrains", "*", "options", "recentProjects.xml"))
	if err != nil {
		return nil
	}
	var list []Folder
	for _, file := range files {
		data, ok := read(file)
		if !ok {
			continue
		}
		product := strings.TrimRight(filepath.Base(filepath.Dir(filepath.Dir(file))), "0123456789.")
		dec := xml.NewDecoder(bytes.NewReader(data))
		for {
			token, err := dec.Token()
			if err != nil {
				break // the end, or where the list is broken
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch start.Name.Local {
			case "entry":
				if key := attribute(start, "key"); key != "" {
					list = append(list, Folder{Dir: filepath.FromSlash(strings.Replace(key, "$USER_HOME$", filepath.ToSlash(m.Home), 1)), Editor: product})
				}
			case "option":
				if attribute(start, "name") == "projectOpenTimestamp" && len(list) > 0 {
					if ms, err := strconv.ParseInt(attribute(start, "value"), 10, 64); err == nil {
						list[len(list)-1].Opened = time.UnixMilli(ms)
					}
				}
			}
		}
	}
	return list
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// fromURI is the path of a file: address.
func fromURI(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" || u.Host != "" {
		return "", false // a folder on another machine
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // /C:/code
	}
	return filepath.FromSlash(path), true
}

func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func read(path string) ([]byte, bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxList+1))
	return data, err == nil && len(data) <= maxList
}

func readJSON(path string, v any) bool {
	data, ok := read(path)
	return ok && json.Unmarshal(data, v) == nil
}
