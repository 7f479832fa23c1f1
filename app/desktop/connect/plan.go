package connect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"searchmcp/engine/api"
)

type State string

const (
	Missing   State = "not found"
	Free      State = "not connected"
	Connected State = "connected"
	Outdated  State = "outdated" // runs a different search-mcp, for example after a move
	Taken     State = "name taken"
	Broken    State = "broken" // the configuration can't be read
)

type Status struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	State   State  `json:"state"`
	File    string `json:"file"`
	Command string `json:"command,omitempty"`
	Problem string `json:"problem,omitempty"`
}

type found struct {
	editor
	path string
	data []byte
	list []server
	err  error
}

func (m *Machine) List() []Status {
	list := make([]Status, len(editors))
	for i, e := range editors {
		list[i] = m.status(m.look(e))
	}
	return list
}

// Find returns the status of the client with the given id or name.
func (m *Machine) Find(id string) (Status, error) {
	f, err := m.find(id)
	if err != nil {
		return Status{}, err
	}
	return m.status(f), nil
}

func (m *Machine) find(id string) (found, error) {
	for _, e := range editors {
		if strings.EqualFold(e.id, id) || strings.EqualFold(e.name, id) {
			return m.look(e), nil
		}
	}
	names := make([]string, len(editors))
	for i, e := range editors {
		names[i] = e.id
	}
	return found{}, api.New(CodeUnknown, fmt.Sprintf("There is no editor '%s' in the list. Known: %s.", id,
		strings.Join(names, ", ")), "unknown editor", nil)
}

func (m *Machine) look(e editor) found {
	f := found{editor: e, path: m.place(e)}
	if f.data, f.err = readConfig(f.path); f.err == nil {
		f.list, f.err = e.format.servers(f.data)
		slices.SortFunc(f.list, func(a, b server) int { return strings.Compare(a.name, b.name) })
	}
	return f
}

// place returns the first configuration file that exists, or else the most likely one.
func (m *Machine) place(e editor) string {
	var places []string
	for _, pattern := range m.places(e.files) {
		if !strings.ContainsAny(pattern, "*?[") {
			places = append(places, pattern)
			continue
		}
		// The file may not exist yet, so match only its folder.
		matches, err := filepath.Glob(filepath.Dir(pattern))
		if err == nil && len(matches) > 0 {
			for _, dir := range matches {
				places = append(places, filepath.Join(dir, filepath.Base(pattern)))
			}
		}
	}
	for _, path := range places {
		if exists(path) {
			return path
		}
	}
	for _, path := range places {
		if exists(filepath.Dir(path)) {
			return path
		}
	}
	return places[0]
}

func (m *Machine) installed(e editor) bool {
	for _, path := range m.places(cmp.Or(e.traces, e.files)) {
		if e.traces == "" {
			path = filepath.Dir(path)
		}
		if matches, err := filepath.Glob(path); err == nil && len(matches) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(e.programs, func(name string) bool {
		_, err := m.LookPath(name)
		return err == nil
	})
}

func (m *Machine) wanted() server {
	return server{name: Name, command: m.Program, args: m.arguments(nil)}
}

// arguments returns args with the subcommand and the data folder.
func (m *Machine) arguments(args []string) []string {
	args = slices.Clone(args)
	if i := slices.Index(args, dataFlag); i >= 0 {
		args = slices.Delete(args, i, min(i+2, len(args)))
	}
	if len(args) == 0 || args[0] != sub {
		args = []string{sub}
	}
	if m.Data != "" {
		args = append(args, dataFlag, m.Data)
	}
	return args
}

func (f found) mine() []server {
	var list []server
	for _, s := range f.list {
		if s.ours() {
			list = append(list, s)
		}
	}
	return list
}

func (m *Machine) status(f found) Status {
	s := Status{ID: f.id, Name: f.name, File: f.path}
	mine := f.mine()
	switch {
	case f.err != nil:
		s.State, s.Problem = Broken, sentence(f.err)
	case slices.ContainsFunc(mine, m.runs):
		s.State, s.Command = Connected, m.Program
	case len(mine) > 0:
		if s.State, s.Command = Outdated, mine[0].command; s.Command == m.Program { // with another data folder
			s.Command = CommandLine(append([]string{s.Command}, mine[0].args...))
		}
	case slices.ContainsFunc(f.list, func(e server) bool { return e.name == Name }):
		s.State, s.Problem = Taken, sentence(errTaken(f))
	case m.installed(f.editor):
		s.State = Free
	default:
		s.State = Missing
	}
	return s
}

func sentence(err error) string { return api.Known(err, err.Error()).UserMessage }

func errTaken(f found) error {
	return api.New(CodeTaken, fmt.Sprintf(
		"%s already has another server named '%s', which was left as it is. Please rename it first (%s).", f.name, Name,
		f.path),
		"the name belongs to another server", nil)
}

type Plan struct {
	Editor string     `json:"editor"`
	Run    [][]string `json:"run,omitempty"` // commands of the editor's own program
	File   string     `json:"file,omitempty"`
	After  string     `json:"after,omitempty"`

	id            string
	remove        bool
	before, after []byte
	mode          fs.FileMode // mode of a new file
	kept          bool        // keep a backup of the old file
}

func (p Plan) Empty() bool { return len(p.Run) == 0 && p.File == "" }

// Connect plans to add our entry to the client with the given id. If byFile is set, the editor's own command is not
// used.
func (m *Machine) Connect(id string, byFile bool) (Plan, error) {
	f, err := m.find(id)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Editor: f.name, After: f.editor.after, id: f.id}
	switch s := m.status(f); s.State {
	case Connected:
		return p, nil
	case Broken:
		return Plan{}, m.byHand(f, f.err)
	case Taken:
		return Plan{}, errTaken(f)
	case Missing:
		return Plan{}, api.New(CodeMissing,
			fmt.Sprintf(
				"%s was not found on this computer. For an installation in another place, add this to its "+
					"configuration by hand:\n%s", f.name, m.Snippet(f.id)),
			"no trace of the editor", nil)
	case Outdated:
		err := m.byHand(f, m.update(f, &p))
		return p, err
	}
	if argv, ok := m.ownCommand(f, byFile); ok {
		p.Run = [][]string{append(argv, m.wanted().arguments(f.add)...)}
		return p, nil
	}
	err = m.byHand(f, f.edit(&p, func(data []byte) ([]byte, error) { return f.format.add(data, m.wanted()) }))
	return p, err
}

func (m *Machine) byHand(f found, err error) error {
	var e *api.Error
	if !errors.As(err, &e) || (e.Code != CodeBroken && e.Code != CodeForm) {
		return err
	}
	return api.New(e.Code, fmt.Sprintf("%s\n%s\nWhat belongs there for Search MCP:\n%s", f.path, e.UserMessage,
		m.Snippet(f.id)), "refused to edit", err)
}

// update plans to replace the program in our entry. It edits the file, because editors have no command for this.
func (m *Machine) update(f found, p *Plan) error {
	old := f.mine()[0]
	return f.edit(p, func(data []byte) ([]byte, error) {
		args := m.arguments(old.args)
		if slices.Equal(args, old.args) {
			return f.format.command(data, old.name, m.Program)
		}
		data, err := f.format.remove(data, old.name)
		if err != nil {
			return nil, err
		}
		return f.format.add(data, server{name: old.name, command: m.Program, args: args})
	})
}

// Disconnect plans to remove all our entries from the client with the given id.
func (m *Machine) Disconnect(id string, byFile bool) (Plan, error) {
	f, err := m.find(id)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Editor: f.name, After: f.editor.after, id: f.id, remove: true}
	if f.err != nil {
		return Plan{}, fmt.Errorf("%s: %w", f.path, f.err)
	}
	mine := f.mine()
	if len(mine) == 0 {
		return p, nil
	}
	if argv, ok := m.ownCommand(f, byFile); ok {
		for _, s := range mine {
			p.Run = append(p.Run, append(slices.Clone(argv), s.arguments(f.remove)...))
		}
		return p, nil
	}
	err = f.edit(&p, func(data []byte) ([]byte, error) {
		if alone, err := f.format.add(nil, mine[0]); err == nil && bytes.Equal(data, alone) {
			return nil, nil
		}
		for _, s := range mine {
			if data, err = f.format.remove(data, s.name); err != nil {
				return nil, err
			}
		}
		return data, nil
	})
	return p, err
}

func (m *Machine) ownCommand(f found, byFile bool) ([]string, bool) {
	if byFile || f.add == "" || m.Data != "" && !strings.Contains(f.add, " -- ") { // its parser would take --data
		return nil, false
	}
	path, err := m.LookPath(f.programs[0])
	return []string{path}, err == nil
}

func (f found) edit(p *Plan, change func([]byte) ([]byte, error)) error {
	after, err := change(f.data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if !bytes.Equal(after, f.data) || (after == nil && f.data != nil) {
		p.File, p.before, p.after, p.mode, p.kept = f.path, f.data, after, private, true
	}
	return nil
}

// Apply executes an approved plan and verifies the result. backup is the path of a copy of the old file.
func (m *Machine) Apply(ctx context.Context, p Plan) (backup string, err error) {
	for _, argv := range p.Run {
		if out, err := m.Run(ctx, argv); err != nil {
			return backup, api.New(CodeTool, fmt.Sprintf("%s failed: %s\nTo have the file edited instead, add --file.",
				CommandLine(argv), brief(out, err)), "own command of "+p.Editor, err)
		}
	}
	if p.File != "" {
		if backup, err = replace(p, m.Now()); err != nil {
			return backup, fmt.Errorf("change the configuration of %s: %w", p.Editor, err)
		}
	}
	if p.Empty() || p.id == "" {
		return backup, nil
	}
	s, err := m.Find(p.id)
	if err != nil {
		return backup, err
	}
	if (s.State == Connected) == p.remove {
		return backup, api.New(CodeTool, fmt.Sprintf("The command succeeded, but %s is still %s (%s).", p.Editor,
			s.State, s.File), "no effect", nil)
	}
	return backup, nil
}

func brief(out []byte, err error) string {
	const most = 400 // in characters; some commands print their whole manual
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(out), "?")), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	if text == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.DeadlineExceeded) {
		return err.Error()
	}
	return text
}

func CommandLine(argv []string) string {
	parts := make([]string, len(argv))
	for i, a := range argv {
		if parts[i] = a; a == "" || strings.ContainsAny(a, " \t\n\"'\\$`&|;<>(){}*?!#~") {
			parts[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(parts, " ")
}

func (m *Machine) Snippet(id string) string {
	f, err := m.find(id)
	if err != nil {
		return ""
	}
	text, err := f.format.add(nil, m.wanted())
	if err != nil {
		return ""
	}
	return string(text)
}

// Lines returns the removed ("-") and added ("+") lines with their context.
func (p Plan) Lines() []string {
	a, b := lines(p.before), lines(p.after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if start == len(a) && start == len(b) {
		return nil
	}
	var list []string
	for _, line := range a[max(0, start-contextLines):start] {
		list = append(list, "  "+line)
	}
	for _, line := range a[start : len(a)-end] {
		list = append(list, "- "+line)
	}
	for _, line := range b[start : len(b)-end] {
		list = append(list, "+ "+line)
	}
	for _, line := range b[len(b)-end : len(b)-end+min(end, contextLines)] {
		list = append(list, "  "+line)
	}
	return list
}

const contextLines = 2

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
}
