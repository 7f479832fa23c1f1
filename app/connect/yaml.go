package connect

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlFile is YAML with a mapping at root that holds the servers by name, written as lines (Goose).
type yamlFile struct {
	root    string
	program string // the key of the program
	entry   func(s server) fields
}

// read parses a file of one document.
func (f yamlFile) read(t text) (tree map[string]any, top *yaml.Node, err error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(t.src))
	if t.empty() {
		return map[string]any{}, nil, nil
	}
	if oddBreaks(t.src) {
		return nil, nil, form("line breaks of another kind")
	}
	if err := d.Decode(&doc); errors.Is(err, io.EOF) { // nothing but comments
		return map[string]any{}, nil, nil
	} else if err != nil {
		return nil, nil, broken(err)
	}
	if d.Decode(&yaml.Node{}) == nil {
		return nil, nil, form("more than one document")
	}
	if err := doc.Decode(&tree); err != nil {
		return nil, nil, broken(err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, broken(errNotObject)
	}
	return tree, doc.Content[0], nil
}

// oddBreaks reports line breaks that YAML knows beside those of Unix and Windows: lines would be counted differently.
func oddBreaks(src []byte) bool {
	return bytes.Count(src, []byte("\r")) != bytes.Count(src, []byte("\r\n")) || bytes.ContainsAny(src, "\u0085\u2028\u2029")
}

func (f yamlFile) servers(data []byte) ([]server, error) {
	tree, _, err := f.read(readText(data))
	if err != nil {
		return nil, err
	}
	switch tree[f.root].(type) {
	case nil, map[string]any:
		return listed(tree[f.root], f.program), nil
	}
	return nil, broken(errNotObject)
}

// pair finds a key in a mapping.
func pair(m *yaml.Node, key string) (k, v *yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

// lineStart is the offset of a line counted from 1.
func lineStart(src []byte, line int) int {
	offset := 0
	for ; line > 1; line-- {
		end := bytes.IndexByte(src[offset:], '\n')
		if end < 0 {
			return len(src)
		}
		offset += end + 1
	}
	return offset
}

func (f yamlFile) add(data []byte, s server) ([]byte, error) {
	after, err := f.insert(data, s)
	if err == nil {
		err = entered(f, after, s)
	}
	return after, err
}

func (f yamlFile) insert(data []byte, s server) ([]byte, error) {
	t := readText(data)
	_, top, err := f.read(t)
	if err != nil {
		return nil, err
	}
	if top != nil && (top.Style&yaml.FlowStyle != 0 || top.Column != 1) {
		return nil, form("the file is in flow style, or indented")
	}
	key, value := pair(top, f.root)
	if key == nil {
		out := bytes.Clone(t.src)
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, t.nl...)
		}
		out = append(out, f.root+":"+t.nl+block(field{s.name, f.entry(s)}, "  ", t.nl)...)
		return f.checked(data, t.with(out), s.name)
	}
	begin := lineStart(t.src, key.Line)
	next := begin + len(lineAt(t.src, begin)) + 1
	switch {
	case value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0 && value.Content[0].Line > key.Line:
		indent := strings.Repeat(" ", value.Content[0].Column-1)
		out := apply(t.src, splice{at: next, ins: block(field{s.name, f.entry(s)}, indent, t.nl)})
		return f.checked(data, t.with(out), s.name)
	case len(value.Content) > 0:
		return nil, form(f.root + " is in flow style")
	}
	// Nothing stands in it yet: "extensions:" or "extensions: {}".
	line := string(lineAt(t.src, begin))
	colon := strings.IndexByte(line, ':')
	if rest := strings.TrimSpace(line[colon+1:]); rest != "" && rest != "{}" {
		return nil, form(f.root + " is written in a way of its own")
	}
	out := apply(t.src, splice{at: begin, del: min(next, len(t.src)) - begin,
		ins: line[:colon+1] + t.nl + block(field{s.name, f.entry(s)}, t.indent(begin+len(line)-len(strings.TrimLeft(line, " ")))+"  ", t.nl)})
	return f.checked(data, t.with(out), s.name)
}

// block writes a member as lines.
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

// region is the lines of an entry: its key and all that is indented deeper.
func region(src []byte, key *yaml.Node) (from, to int) {
	from = lineStart(src, key.Line)
	to = from
	for offset := from; offset < len(src); {
		line := lineAt(src, offset)
		trimmed := bytes.TrimLeft(line, " ")
		blank := len(bytes.TrimSpace(line)) == 0
		if offset > from && !blank && len(line)-len(trimmed) < key.Column {
			break
		}
		offset = min(offset+len(line)+1, len(src))
		if !blank {
			to = offset // empty lines at the end belong to what follows
		}
	}
	return from, to
}

func (f yamlFile) command(data []byte, name, program string) ([]byte, error) {
	t := readText(data)
	_, top, err := f.read(t)
	if err != nil {
		return nil, err
	}
	_, entries := pair(top, f.root)
	_, entry := pair(entries, name)
	_, value := pair(entry, f.program)
	if value == nil || value.Kind != yaml.ScalarNode {
		return nil, form("no program in the entry")
	}
	begin := lineStart(t.src, value.Line)
	line := lineAt(t.src, begin)
	written := strings.TrimRight(string([]rune(string(line))[value.Column-1:]), " \t\r")
	for _, way := range []string{value.Value, `"` + value.Value + `"`, "'" + value.Value + "'", quote(value.Value)} {
		if written == way {
			at := begin + bytes.LastIndex(line, []byte(written))
			return f.checked(data, t.with(apply(t.src, splice{at: at, del: len(written), ins: quote(program)})), name)
		}
	}
	return nil, form("the program is written in a way of its own")
}

func (f yamlFile) remove(data []byte, name string) ([]byte, error) {
	t := readText(data)
	_, top, err := f.read(t)
	if err != nil {
		return nil, err
	}
	root, value := pair(top, f.root)
	key, _ := pair(value, name)
	if key == nil || value.Style&yaml.FlowStyle != 0 {
		return nil, form("no entry of lines")
	}
	from, to := region(t.src, key)
	changes := []splice{{at: from, del: to - from}}
	if len(value.Content) == 2 { // the only one: a key without a value would be null, which is no mapping to the editor
		begin := lineStart(t.src, root.Line)
		colon := bytes.IndexByte(lineAt(t.src, begin), ':')
		changes = append([]splice{{at: begin + colon + 1, ins: " {}"}}, changes...)
	}
	return f.checked(data, t.with(apply(t.src, changes...)), name)
}

func (f yamlFile) makes(data []byte) (made, error) {
	_, top, err := f.read(readText(data))
	key, _ := pair(top, f.root)
	return begun(data, key != nil), err
}

func (f yamlFile) tidy(data []byte, w made) ([]byte, error) {
	t := readText(data)
	_, top, err := f.read(t)
	key, value := pair(top, f.root)
	if err != nil || w == madeNothing || key == nil {
		return data, err
	}
	begin := lineStart(t.src, key.Line)
	line := lineAt(t.src, begin)
	if string(bytes.TrimSpace(line)) != f.root+": {}" || len(value.Content) > 0 {
		return data, nil // other servers, or a comment
	}
	out := apply(t.src, splice{at: begin, del: min(len(line)+1, len(t.src)-begin)})
	if w != madeRoot && len(bytes.TrimSpace(out)) == 0 {
		return w.ended(t), nil
	}
	return f.checked(data, t.with(out), Name)
}

// checked compares the meaning of a file before and after: nothing but the one entry may differ.
func (f yamlFile) checked(before, after []byte, name string) ([]byte, error) {
	a, _, err := f.read(readText(before))
	if err != nil {
		return nil, err
	}
	b, _, err := f.read(readText(after))
	if err != nil {
		return nil, form("after the edit: " + err.Error())
	}
	if !sameBut(a, b, f.root, name) {
		return nil, form("the edit would have changed something else")
	}
	return after, nil
}

// ownFile is a file that holds nothing but our server (a block of Continue).
type ownFile struct{}

func (ownFile) servers(data []byte) ([]server, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var block struct {
		Servers []struct {
			Name    string   `yaml:"name"`
			Command string   `yaml:"command"`
			Args    []string `yaml:"args"`
		} `yaml:"mcpServers"`
	}
	if err := yaml.Unmarshal(data, &block); err != nil {
		return nil, broken(err)
	}
	var list []server
	for _, s := range block.Servers {
		list = append(list, server{name: s.Name, command: s.Command, args: s.Args})
	}
	return list, nil
}

func (ownFile) add(data []byte, s server) ([]byte, error) {
	if len(data) > 0 {
		return nil, form("the file is there already")
	}
	args := ""
	for _, a := range s.args {
		args += "      - " + quote(a) + "\n"
	}
	return []byte("name: Search MCP\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: " + s.name + "\n    command: " + quote(s.command) +
		"\n    args:\n" + args), nil
}

func (o ownFile) command(data []byte, name, program string) ([]byte, error) {
	list, err := o.servers(data)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if s.name == name && len(list) == 1 {
			s.command = program
			return o.add(nil, s)
		}
	}
	return nil, form("the file holds other servers")
}

func (ownFile) makes([]byte) (made, error) { return madeNothing, nil }

func (ownFile) tidy(data []byte, _ made) ([]byte, error) { return data, nil }

func (o ownFile) remove(data []byte, _ string) ([]byte, error) {
	list, err := o.servers(data)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, form("the file holds other servers")
	}
	return nil, nil
}
