package connect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Folder is a folder and the editor that opened it.
type Folder struct {
	Dir, Editor string
	Opened      time.Time // as precisely as the editor records it
}

// maxFolders limits the suggestions.
const maxFolders = 20

// Recent lists the folders that this computer's editors opened last.
func Recent(ctx context.Context) []Folder {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return (&Machine{OS: runtime.GOOS, Home: home, Getenv: os.Getenv}).recent(ctx)
}

// recent lists existing projects once each, the last opened first. It skips unreadable lists.
func (m *Machine) recent(ctx context.Context) []Folder {
	var all []Folder
	for _, list := range []func() []Folder{m.codeWorkspaces, m.claudeFolders, m.codexFolders, m.jetBrainsFolders} {
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

// project reports whether a folder may be a project: it is not a home folder or bare repository, and contains files
// other than version control.
func (m *Machine) project(dir string) bool {
	if !filepath.IsAbs(dir) || dir == m.Home || strings.HasPrefix(m.Home, dir+string(filepath.Separator)) ||
		dir == filepath.Dir(dir) || bareRepository(dir) {
		return false
	}
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close()
	for {
		some, err := d.Readdirnames(16) // usually enough to decide
		if slices.ContainsFunc(some, func(name string) bool { return !bookkeeping[name] }) {
			return true
		}
		if err != nil { // the end of the folder
			return false
		}
	}
}

// bookkeeping lists names that don't make a folder a project.
var bookkeeping = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, ".DS_Store": true,
	"desktop.ini": true}

// bareRepository detects a git repository's own folder as git does (gitrepository-layout(5)).
func bareRepository(dir string) bool {
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err != nil {
			return false
		}
	}
	return true
}

// family lists VS Code and its forks.
var family = []struct{ folder, name string }{
	{"Code", "VS Code"}, {"Code - Insiders", "VS Code"}, {"VSCodium", "VSCodium"}, {"Cursor", "Cursor"},
	{"Windsurf", "Windsurf"},
	{"Antigravity", "Antigravity"},
}

func (m *Machine) codeWorkspaces() []Folder {
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

// claudeFolders returns the projects of Claude Code, which has a folder of transcripts for each.
func (m *Machine) claudeFolders() []Folder {
	var file struct{ Projects map[string]json.RawMessage }
	if !readJSON(m.claudeCode(), &file) {
		return nil
	}
	transcripts := filepath.Join(m.env("CLAUDE_CONFIG_DIR", m.inHome(".claude")), "projects")
	var list []Folder
	for path := range file.Projects {
		list = append(list, Folder{path, "Claude Code",
			modified(filepath.Join(transcripts, transcript.ReplaceAllString(path, "-")))})
	}
	return list
}

// transcript matches the characters of a path that Claude Code replaces in folder names.
var transcript = regexp.MustCompile(`[^A-Za-z0-9]`)

// codexFolders returns the tables [projects."/code/shop"] of Codex's configuration.
func (m *Machine) codexFolders() []Folder {
	file := filepath.Join(m.codex(), "config.toml")
	var config struct{ Projects map[string]any }
	if _, err := toml.DecodeFile(file, &config); err != nil {
		return nil
	}
	var list []Folder
	for path := range config.Projects {
		list = append(list, Folder{path, "Codex", modified(file)})
	}
	return list
}

// jetBrainsFolders reads the lists of all JetBrains editors, whose folders are named by product and release.
func (m *Machine) jetBrainsFolders() []Folder {
	files, err := filepath.Glob(filepath.Join(m.settings(), "JetBrains", "*", "options", "recentProjects.xml"))
	if err != nil {
		return nil
	}
	var list []Folder
	for _, file := range files {
		data, err := readConfig(file)
		if err != nil {
			continue
		}
		product := strings.TrimRight(filepath.Base(filepath.Dir(filepath.Dir(file))), "0123456789.")
		dec := xml.NewDecoder(bytes.NewReader(data))
		for {
			token, err := dec.Token()
			if err != nil {
				break // the end of the file, or malformed
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch start.Name.Local {
			case "entry":
				if key := attribute(start, "key"); key != "" {
					list = append(list, Folder{Dir: filepath.FromSlash(strings.Replace(key, "$USER_HOME$",
						filepath.ToSlash(m.Home), 1)), Editor: product})
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

// fromURI returns the path of a file: URL.
func fromURI(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" || u.Host != "" {
		return "", false // the folder is on another machine
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

func readJSON(path string, v any) bool {
	data, err := readConfig(path)
	return err == nil && json.Unmarshal(data, v) == nil
}
