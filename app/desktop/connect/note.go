package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/engine/api"
)

// The markers before and after the paragraph about Search MCP.
const (
	noteBegin = "<!-- search-mcp: begin -->"
	noteEnd   = "<!-- search-mcp: end -->"

	note = `## Searching this project

This project is indexed by the MCP server "search" (Search MCP). Before reading files one by one or running a chain of
greps, ask its search_code tool a short question, such as "where are sessions expired"; for documentation ask search_docs.
Grep remains right for an exact string that you already know.`
)

const noteMode fs.FileMode = 0o644

// Note plans to add the paragraph about Search MCP to AGENTS.md or CLAUDE.md in dir, or to remove the paragraph from
// both.
func Note(dir, editor string, remove bool) ([]Plan, error) {
	names := []string{"AGENTS.md"}
	switch {
	case remove:
		names = append(names, "CLAUDE.md")
	case editor == "claude-code":
		name, err := claudeFile(dir)
		if err != nil {
			return nil, err
		}
		names[0] = name
	}
	var plans []Plan
	for _, name := range names {
		p, err := noteIn(dir, name, remove)
		if err != nil {
			return nil, err
		}
		if !p.Empty() {
			plans = append(plans, p)
		}
	}
	return plans, nil
}

func claudeFile(dir string) (string, error) {
	agents, claude := filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "CLAUDE.md")
	data, err := readConfig(claude)
	if err != nil {
		return "", err
	}
	a, aerr := os.Stat(agents)
	c, cerr := os.Stat(claude)
	if (aerr == nil && cerr == nil && os.SameFile(a, c)) || bytes.Contains(data, []byte("@AGENTS.md")) {
		return "AGENTS.md", nil
	}
	return "CLAUDE.md", nil
}

func noteIn(dir, name string, remove bool) (Plan, error) {
	path := filepath.Join(dir, name)
	if err := noLinkOut(dir, path); err != nil {
		return Plan{}, err
	}
	before, err := readConfig(path)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", path, err)
	}
	p := Plan{Editor: name, File: path, before: before, remove: remove, mode: noteMode}
	t := readText(before)
	from, to, err := marked(t)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", path, err)
	}
	block := strings.ReplaceAll(noteBegin+"\n"+note+"\n"+noteEnd+"\n", "\n", t.nl)
	switch {
	case remove && from < 0:
		return Plan{Editor: name, remove: true}, nil
	case remove:
		if blank := blankBefore(t.src, from); to == len(t.src) {
			from = blank
		}
		rest := apply(t.src, splice{at: from, del: to - from})
		if len(bytes.TrimSpace(rest)) > 0 || len(t.mark) > 0 {
			p.after = t.with(rest)
		}
	case from >= 0:
		p.after = t.with(apply(t.src, splice{at: from, del: to - from, ins: block}))
	case t.empty():
		p.after = t.with([]byte(block))
	default:
		gap := t.nl
		if !bytes.HasSuffix(t.src, []byte("\n")) {
			gap += t.nl
		}
		p.after = t.with(append(bytes.Clone(t.src), gap+block...))
	}
	if bytes.Equal(p.after, before) {
		return Plan{Editor: name, remove: remove}, nil
	}
	return p, nil
}

func marked(t text) (from, to int, err error) {
	from = bytes.Index(t.src, []byte(noteBegin))
	end := bytes.Index(t.src, []byte(noteEnd))
	switch {
	case from < 0 && end < 0:
		return -1, -1, nil
	case from < 0, end < from, bytes.Count(t.src, []byte(noteBegin)) > 1, bytes.Count(t.src, []byte(noteEnd)) > 1:
		return 0, 0, errForm("the marks of the paragraph don't match")
	}
	to = end + len(noteEnd)
	if rest := lineAt(t.src, to); len(bytes.TrimSpace(rest)) == 0 {
		to = min(to+len(rest)+1, len(t.src))
	}
	return from, to, nil
}

func noLinkOut(dir, path string) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(path); lerr != nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("follow %s: %w", path, err)
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("follow %s: %w", dir, err)
	}
	if rel, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(rel) {
		return api.New(CodeForm, path+" points outside the project, so it was left unchanged.",
			"a link out of the project", err)
	}
	return nil
}

// NoteRoot returns the closest folder, at or above dir but below the home folder, that contains .git, AGENTS.md or
// CLAUDE.md.
func (m *Machine) NoteRoot(dir string) (string, bool) {
	home, err := filepath.EvalSymlinks(m.Home)
	if err != nil {
		home = m.Home
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if at == m.Home || at == home || at == filepath.Dir(at) {
			return "", false
		}
		for _, name := range []string{".git", "AGENTS.md", "CLAUDE.md"} {
			if exists(filepath.Join(at, name)) {
				return at, true
			}
		}
	}
}
