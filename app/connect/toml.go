package connect

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlFile is TOML with a table for each server below root. No library writes TOML with its comments, so whole tables are
// added and removed as lines; another way of writing them (inline, dotted keys) is refused.
type tomlFile struct{ root string }

func decodeTOML(src []byte) (map[string]any, error) {
	tree := map[string]any{}
	if _, err := toml.Decode(string(src), &tree); err != nil {
		return nil, broken(err)
	}
	return tree, nil
}

func (f tomlFile) servers(data []byte) ([]server, error) {
	tree, err := decodeTOML(readText(data).src)
	if err != nil {
		return nil, err
	}
	if v, ok := tree[f.root]; ok {
		if _, ok := v.(map[string]any); !ok {
			return nil, broken(errNotObject)
		}
	}
	return listed(tree[f.root], "command"), nil
}

func (f tomlFile) add(data []byte, s server) ([]byte, error) {
	t := readText(data)
	tree, err := decodeTOML(t.src)
	if err != nil {
		return nil, err
	}
	// An inline table can't be extended; the parser here would let it pass, Codex's does not.
	inTables := slices.ContainsFunc(tables(t.src), func(at table) bool { return len(at.path) > 0 && at.path[0] == f.root })
	if _, there := tree[f.root]; there && !inTables {
		return nil, form("servers in a table of their own way")
	}
	out := bytes.Clone(t.src)
	if len(out) > 0 {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, t.nl...)
		}
		out = append(out, t.nl...)
	}
	out = append(out, strings.Join([]string{
		"[" + f.root + "." + s.name + "]",
		"command = " + tomlString(s.command),
		"args = " + field{value: s.args}.scalar(),
		"",
	}, t.nl)...)
	after, err := f.checked(data, t.with(out), s.name)
	if err == nil {
		err = entered(f, after, s)
	}
	return after, err
}

// tomlString prefers the literal form, in which a Windows path reads as it is.
func tomlString(s string) string {
	if strings.ContainsRune(s, '\\') && !strings.ContainsAny(s, "'\n\r") {
		return "'" + s + "'"
	}
	return quote(s)
}

var tomlCommand = regexp.MustCompile(`^([ \t]*command[ \t]*=[ \t]*)("(?:[^"\\]|\\.)*"|'[^']*')([ \t]*(?:#.*)?\r?)$`)

func (f tomlFile) command(data []byte, name, program string) ([]byte, error) {
	t := readText(data)
	for _, table := range tables(t.src) {
		if !slices.Equal(table.path, []string{f.root, name}) {
			continue
		}
		for offset := table.start; offset < table.end; {
			line := lineAt(t.src, offset)
			if m := tomlCommand.FindSubmatchIndex(line); m != nil {
				out := apply(t.src, splice{at: offset + m[4], del: m[5] - m[4], ins: tomlString(program)})
				return f.checked(data, t.with(out), name)
			}
			offset += len(line) + 1
		}
	}
	return nil, form("no table with a command in one line")
}

// lineAt is the line that begins at an offset, without its newline.
func lineAt(src []byte, offset int) []byte {
	if end := bytes.IndexByte(src[offset:], '\n'); end >= 0 {
		return src[offset : offset+end]
	}
	return src[offset:]
}

func (f tomlFile) remove(data []byte, name string) ([]byte, error) {
	t := readText(data)
	var changes []splice
	for _, table := range tables(t.src) {
		if len(table.path) < 2 || table.path[0] != f.root || table.path[1] != name {
			continue
		}
		from, to := table.start, table.end
		// The empty line that stood before the table goes with it, if another one or the end of the file follows.
		if blank := blankBefore(t.src, from); blank < from && (to == len(t.src) || len(bytes.TrimSpace(lineAt(t.src, to))) == 0) {
			from = blank
		}
		changes = append(changes, splice{at: from, del: to - from})
	}
	if len(changes) == 0 {
		return nil, form("no table of its own")
	}
	return f.checked(data, t.with(apply(t.src, changes...)), name)
}

// blankBefore is where the empty line before a line begins, or the line's own beginning if there is none.
func blankBefore(src []byte, line int) int {
	before := bytes.TrimSuffix(src[:line], []byte("\n"))
	if len(before) == line { // the first line
		return line
	}
	before = bytes.TrimSuffix(before, []byte("\r"))
	if len(before) == 0 || before[len(before)-1] == '\n' {
		return len(before)
	}
	return line
}

// table is a [table] of a file: from its header to the end of its last key.
type table struct {
	path       []string
	start, end int
}

// tables finds the headers of a valid file. Comments and empty lines after a table's last key belong to what follows.
func tables(src []byte) []table {
	var list []table
	for offset := 0; offset < len(src); {
		start := offset
		end := statement(src, offset)
		line := bytes.TrimSpace(src[start:end])
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '[':
			list = append(list, table{path: headerPath(line), start: start, end: end})
		case len(list) > 0:
			list[len(list)-1].end = end
		}
		offset = end
	}
	return list
}

// statement returns where the line that begins at an offset ends, newline included: a value in brackets or in three quotes
// goes on over several lines.
func statement(src []byte, offset int) int {
	depth := 0
	for i := offset; i < len(src); i++ {
		switch c := src[i]; c {
		case '#':
			i += len(lineAt(src, i)) - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"', '\'':
			i = quoted(src, i) - 1
		case '\n':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(src)
}

// quoted returns the offset behind the string that begins at an offset.
func quoted(src []byte, offset int) int {
	mark := src[offset : offset+1]
	if triple := bytes.Repeat(mark, 3); bytes.HasPrefix(src[offset:], triple) {
		mark = triple
	}
	for i := offset + len(mark); i < len(src); i++ {
		switch {
		case src[i] == '\\' && mark[0] == '"':
			i++
		case bytes.HasPrefix(src[i:], mark):
			i += len(mark)
			for len(mark) == 3 && i < len(src) && src[i] == mark[0] { // up to two quotes may stand right before the end
				i++
			}
			return i
		}
	}
	return len(src)
}

// headerPath reads the key of a header by having it parsed. A list of tables has none that concerns us.
func headerPath(line []byte) []string {
	tree := map[string]any{}
	if _, err := toml.Decode(string(line), &tree); err != nil {
		return nil
	}
	var path []string
	for len(tree) == 1 {
		for key, value := range tree {
			path = append(path, key)
			tree, _ = value.(map[string]any)
		}
	}
	return path
}

// makes: a table needs no other one around it.
func (f tomlFile) makes(data []byte) (made, error) {
	_, err := f.servers(data)
	return begun(data, true), err
}

func (f tomlFile) tidy(data []byte, w made) ([]byte, error) {
	if t := readText(data); w == madeFile && t.empty() {
		return w.ended(t), nil
	}
	return data, nil
}

// checked compares the meaning of a file before and after: nothing but the one entry may differ.
func (f tomlFile) checked(before, after []byte, name string) ([]byte, error) {
	a, err := decodeTOML(readText(before).src)
	if err != nil {
		return nil, err
	}
	b, err := decodeTOML(readText(after).src)
	if err != nil {
		return nil, form("after the edit: " + err.Error())
	}
	if !sameBut(a, b, f.root, name) {
		return nil, form("the edit would have changed something else")
	}
	return after, nil
}
