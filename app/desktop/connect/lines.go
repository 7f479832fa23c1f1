package connect

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"
)

// lineFile edits TOML and YAML files in which an entry occupies complete lines. It edits lines and not values, because
// no library preserves comments.
type lineFile struct {
	root    string
	program string // key of an entry's program
	grammar
}

// grammar contains the parts of lineFile that differ between TOML and YAML.
type grammar interface {
	decode(src []byte) (map[string]any, error)
	insert(t text, root string, roots any, s server) (splice, error)
	// regions returns the line ranges that may belong to the entry with the given name.
	regions(src []byte, root, name string) []splice
	empty(root string) string
	quote(s string) string
}

func (f lineFile) tree(data []byte) (map[string]any, error) {
	tree, err := f.decode(readText(data).src)
	if err != nil {
		return nil, err
	}
	switch tree[f.root].(type) {
	case nil, map[string]any:
		return tree, nil
	}
	return nil, errBroken(errNotObject)
}

func (f lineFile) servers(data []byte) ([]server, error) {
	tree, err := f.tree(data)
	return listed(tree[f.root], f.program), err
}

func (f lineFile) add(data []byte, s server) ([]byte, error) {
	t := readText(data)
	tree, err := f.tree(data)
	if err != nil {
		return nil, err
	}
	change, err := f.insert(t, f.root, tree[f.root], s)
	if err != nil {
		return nil, err
	}
	after, err := checked(f.tree, f.root, data, t.with(apply(t.src, change)), s.name)
	if err == nil {
		err = verifyEntry(f, after, s)
	}
	return after, err
}

// command replaces the program of the entry with the given name. It tries each occurrence of the program in the file.
func (f lineFile) command(data []byte, name, program string) ([]byte, error) {
	list, err := f.servers(data)
	at := slices.IndexFunc(list, func(s server) bool { return s.name == name })
	if err != nil || at < 0 {
		return nil, errors.Join(err, errForm("the entry is gone"))
	}
	t, s := readText(data), list[at]
	old := s.command
	s.command = program
	for _, written := range []string{quote(old), "'" + old + "'", old} {
		for from := 0; old != ""; from++ {
			i := bytes.Index(t.src[from:], []byte(written))
			if i < 0 {
				break
			}
			from += i
			out := apply(t.src, splice{at: from, del: len(written), ins: f.quote(program)})
			if after, err := checked(f.tree, f.root, data, t.with(out), name); err == nil && verifyEntry(f, after, s) == nil {
				return after, nil
			}
		}
	}
	return nil, errForm("the program is written in a way of its own")
}

func (f lineFile) remove(data []byte, name string) ([]byte, error) {
	list, err := f.servers(data)
	if err != nil {
		return nil, err
	}
	for slices.ContainsFunc(list, func(s server) bool { return s.name == name }) {
		if data, list, err = f.cut(data, name); err != nil {
			return nil, err
		}
	}
	t, empty := readText(data), f.empty(f.root)
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(empty) + `[ \t]*(\r?\n|$)`).FindIndex(t.src)
	if empty == "" || line == nil { // other servers or a comment follow the key
		return data, nil
	}
	out := apply(t.src, splice{at: line[0], del: line[1] - line[0]})
	return checked(f.tree, f.root, data, t.with(out), name)
}

// cut removes the first region whose removal leaves all other entries unchanged.
func (f lineFile) cut(data []byte, name string) ([]byte, []server, error) {
	t := readText(data)
	for _, region := range f.regions(t.src, f.root, name) {
		out := apply(t.src, region)
		// Some editors refuse a key without a value.
		if tree, err := f.tree(out); err == nil && tree[f.root] == nil {
			if key := rootLine(out, f.root); key != nil {
				out = apply(out, splice{at: key[0], del: len(f.root) + 1, ins: f.empty(f.root)})
			}
		}
		after, err := checked(f.tree, f.root, data, t.with(out), name)
		if err != nil {
			continue
		}
		list, err := f.servers(after)
		return after, list, err
	}
	return nil, nil, errForm("no entry of whole lines")
}

func lineAt(src []byte, offset int) []byte {
	if end := bytes.IndexByte(src[offset:], '\n'); end >= 0 {
		return src[offset : offset+end]
	}
	return src[offset:]
}

func blankBefore(src []byte, start int) int {
	before := bytes.TrimSuffix(src[:start], []byte("\n"))
	if len(before) == start {
		return start
	}
	before = bytes.TrimSuffix(before, []byte("\r"))
	if len(before) == 0 || before[len(before)-1] == '\n' {
		return len(before)
	}
	return start
}

// trailing matches the white space and comments at the end of a region, which belong to the next entry.
var trailing = regexp.MustCompile(`(?:(?:\n|^)[ \t]*(?:#[^\n]*|\r)?)*$`)

func region(src []byte, from, to int) splice {
	lines := src[from:to]
	if end := trailing.FindIndex(lines)[0]; end < len(lines) {
		lines = lines[:end+1]
	}
	return splice{at: from, del: len(lines)}
}

func (t text) newline() string {
	if len(t.src) == 0 || bytes.HasSuffix(t.src, []byte("\n")) {
		return ""
	}
	return t.nl
}

type tables struct{}

func (tables) decode(src []byte) (map[string]any, error) {
	tree := map[string]any{}
	if _, err := toml.Decode(string(src), &tree); err != nil {
		return nil, errBroken(err)
	}
	return tree, nil
}

func (tables) empty(string) string { return "" }

// quote returns s as a TOML string. A Windows path becomes a literal string, which needs no escapes.
func (tables) quote(s string) string {
	if strings.ContainsRune(s, '\\') && !strings.ContainsAny(s, "'\n\r") {
		return "'" + s + "'"
	}
	return quote(s)
}

func (tables) header(root, name string) *regexp.Regexp {
	key := func(s string) string { return `[ \t]*(?:` + s + `|"` + s + `"|'` + s + `')[ \t]*` }
	if name = regexp.QuoteMeta(name); name == "" {
		return regexp.MustCompile(`(?m)^[ \t]*\[` + key(root) + `[.\]]`)
	}
	return regexp.MustCompile(`(?m)^[ \t]*\[` + key(root) + `\.` + key(name) + `[.\]]`)
}

func (g tables) insert(t text, root string, roots any, s server) (splice, error) {
	// TOML forbids extending an inline table. Codex refuses it, but our library would accept it.
	if roots != nil && !g.header(root, "").Match(t.src) {
		return splice{}, errForm("servers in a table of their own way")
	}
	lines := []string{"[" + root + "." + s.name + "]", "command = " + g.quote(s.command),
		"args = " + field{value: s.args}.scalar(), ""}
	if len(t.src) > 0 {
		lines = append([]string{t.newline()}, lines...)
	}
	return splice{at: len(t.src), ins: strings.Join(lines, t.nl)}, nil
}

// regions returns a region for each possible end of the entry, because a line that looks like a header may be part of a
// multi-line value.
func (g tables) regions(src []byte, root, name string) []splice {
	var list []splice
	next := regexp.MustCompile(`(?m)^[ \t]*\[`)
	for _, header := range g.header(root, name).FindAllIndex(src, -1) {
		ends := [][]int{}
		for _, end := range next.FindAllIndex(src[header[1]:], -1) {
			ends = append(ends, []int{header[1] + end[0]})
		}
		for _, end := range append(ends, []int{len(src)}) {
			r := region(src, header[0], end[0])
			to := r.at + r.del
			if blank := blankBefore(src, r.at); blank < r.at && (to == len(src) || len(bytes.TrimSpace(lineAt(src, to))) == 0) {
				r = splice{at: blank, del: to - blank}
			}
			list = append(list, r)
		}
	}
	return list
}

type blocks struct{ entry func(s server) fields }

func (blocks) decode(src []byte) (map[string]any, error) {
	tree := map[string]any{}
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(&tree); errors.Is(err, io.EOF) { // only comments
		return tree, nil
	} else if err != nil {
		return nil, errBroken(err)
	}
	if d.Decode(&yaml.Node{}) == nil {
		return nil, errForm("more than one document")
	}
	return tree, nil
}

func (blocks) empty(root string) string { return root + ": {}" }

func (blocks) quote(s string) string { return quote(s) }

// rootLine returns the offsets of the line with the key root, and of its value {}. It returns nil if the key has
// another value.
func rootLine(src []byte, root string) []int {
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(root) + `:([ \t]*\{\})?[ \t]*(?:[ \t]#[^\n]*)?\r?(?:\n|\z)`)
	return line.FindSubmatchIndex(src)
}

var firstEntry = regexp.MustCompile(`\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)`)

func (g blocks) insert(t text, root string, roots any, s server) (splice, error) {
	entry := func(indent string) string { return block(field{s.name, g.entry(s)}, indent, t.nl) }
	line := rootLine(t.src, root)
	switch servers, _ := roots.(map[string]any); {
	case line == nil && roots != nil:
		return splice{}, errForm(root + " is written in a way of its own")
	case line == nil:
		return splice{at: len(t.src), ins: t.newline() + root + ":" + t.nl + entry("  ")}, nil
	case len(servers) == 0: // "extensions:" or "extensions: {}"
		return splice{at: line[0], del: line[1] - line[0], ins: root + ":" + t.nl + entry("  ")}, nil
	default:
		indent := firstEntry.FindSubmatch(t.src[line[1]:])
		if indent == nil {
			return splice{}, errForm(root + " is written in a way of its own")
		}
		return splice{at: line[1], ins: entry(string(indent[1]))}, nil
	}
}

func block(m field, indent, nl string) string {
	switch v := m.value.(type) {
	case fields:
		if len(v) == 0 {
			break
		}
		out := indent + m.key + ":" + nl
		for _, f := range v {
			out += block(f, indent+"  ", nl)
		}
		return out
	case []string:
		out := indent + m.key + ":" + nl
		for _, s := range v {
			out += indent + "  - " + quote(s) + nl
		}
		return out
	}
	return indent + m.key + ": " + m.scalar() + nl
}

func (blocks) regions(src []byte, _, name string) []splice {
	var list []splice
	name = regexp.QuoteMeta(name)
	keys := regexp.MustCompile(`(?m)^( +)(?:` + name + `|"` + name + `"|'` + name + `')[ \t]*:`)
	for _, key := range keys.FindAllSubmatchIndex(src, -1) {
		from, indent := key[0], key[3]-key[2]
		to := from
		for offset := from; offset < len(src); {
			line := lineAt(src, offset)
			if blank := len(bytes.TrimSpace(line)) == 0; !blank {
				if offset > from && len(line)-len(bytes.TrimLeft(line, " ")) <= indent {
					break
				}
				to = min(offset+len(line)+1, len(src)) // empty lines belong to the next entry
			}
			offset = min(offset+len(line)+1, len(src))
		}
		list = append(list, splice{at: from, del: to - from})
	}
	return list
}
