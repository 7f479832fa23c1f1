package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFile is JSON, optionally with comments and trailing commas. An object at root contains the servers by name.
type jsonFile struct {
	root string
	// strict means that the editor does not accept comments and trailing commas.
	strict bool
	// entry returns the fields of a server's entry.
	entry func(s server) fields
}

var (
	errNotObject = errors.New("it is not an object")
	errTwice     = errors.New("it is there twice")
)

// parsed is a parsed file. root is the object of servers.
type parsed struct {
	text
	top  *hujson.Value
	root *hujson.Value // nil if missing
}

func (f jsonFile) parse(data []byte) (parsed, error) {
	p := parsed{text: readText(data)}
	if p.empty() {
		p.src = []byte("{}" + p.nl)
	}
	top, err := hujson.Parse(bytes.Clone(p.src)) // hujson.Parse edits its input
	if err != nil {
		return p, errBroken(err)
	}
	if f.strict && !top.IsStandard() {
		return p, errBroken(errors.New("it has comments or trailing commas, which the editor itself does not read"))
	}
	p.top = &top
	if _, ok := top.Value.(*hujson.Object); !ok {
		return p, errBroken(errNotObject)
	}
	m, _, err := member(p.top, f.root)
	if err != nil || m == nil {
		return p, err
	}
	if _, ok := m.Value.Value.(*hujson.Object); !ok {
		return p, errBroken(fmt.Errorf("%q: %w", f.root, errNotObject))
	}
	p.root = &m.Value
	return p, nil
}

func errBroken(err error) error {
	why := strings.TrimPrefix(err.Error(), "hujson: ")
	return refuse(CodeBroken, fmt.Sprintf(
		"The configuration can't be read (%s), so it was left unchanged. Please correct it first.", why),
		"broken configuration", err)
}

// member finds a name in an object, or returns nil.
func member(v *hujson.Value, name string) (found *hujson.ObjectMember, at int, err error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, 0, nil
	}
	for i := range object.Members {
		key, ok := object.Members[i].Name.Value.(hujson.Literal)
		if !ok || key.String() != name {
			continue
		}
		if found != nil {
			return nil, 0, errBroken(fmt.Errorf("%q: %w", name, errTwice))
		}
		found, at = &object.Members[i], i
	}
	return found, at, nil
}

func (f jsonFile) servers(data []byte) ([]server, error) {
	tree, err := f.tree(data)
	return listed(tree[f.root], "command"), err
}

// tree decodes the file and keeps the digits of numbers.
func (f jsonFile) tree(data []byte) (tree map[string]any, err error) {
	p, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	p.top.Standardize()
	d := json.NewDecoder(bytes.NewReader(p.top.Pack()))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, errBroken(err)
	}
	return tree, nil
}

// listed returns the servers of a decoded object in no particular order.
func listed(tree any, key string) []server {
	byName, _ := tree.(map[string]any)
	var list []server
	for name, v := range byName {
		entry, _ := v.(map[string]any)
		s := server{name: name}
		switch command := entry[key].(type) {
		case string:
			s.command, s.args = command, texts(entry["args"])
		case []any: // program and arguments in one list
			if all := texts(command); len(all) > 0 {
				s.command, s.args = all[0], all[1:]
			}
		}
		list = append(list, s)
	}
	return list
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, one := range list {
		s, _ := one.(string)
		out = append(out, s)
	}
	return out
}

func (f jsonFile) add(data []byte, s server) ([]byte, error) {
	p, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	at, member := p.root, field{s.name, f.entry(s)}
	if at == nil {
		at, member = p.top, field{f.root, fields{member}}
	}
	return checked(f.tree, f.root, data, p.with(p.insert(at, member)), s.name)
}

// unit returns the file's indentation step.
func (p parsed) unit() string {
	if object := p.top.Value.(*hujson.Object); len(object.Members) > 0 {
		if first := object.Members[0].Name.StartOffset; p.first(first) && p.indent(first) != "" {
			return p.indent(first)
		}
	}
	return "  "
}

// insert appends a member to an object.
func (p parsed) insert(v *hujson.Value, m field) []byte {
	object := v.Value.(*hujson.Object)
	inner := p.src[v.StartOffset+1 : v.EndOffset-1]
	end := v.StartOffset + 1 + len(bytes.TrimRight(inner, " \t\r\n")) // after the last member or comment
	comma, after := "", ""
	var changes []splice
	if n := len(object.Members); n > 0 {
		last := object.Members[n-1].Value
		if last.AfterExtra == nil {
			comma = ","
		} else {
			after = "," // because the file uses trailing commas
		}
		if !bytes.ContainsRune(inner, '\n') {
			return apply(p.src, splice{at: last.EndOffset, ins: comma}, splice{at: end, ins: " " + m.line() + after})
		}
		changes = append(changes, splice{at: last.EndOffset, ins: comma})
	}
	closing := p.indent(v.StartOffset)
	indent := closing + p.unit()
	if len(object.Members) > 0 && p.first(object.Members[0].Name.StartOffset) {
		indent = p.indent(object.Members[0].Name.StartOffset)
	}
	ins := p.nl + indent + m.lines(indent, p.unit(), p.nl) + after
	if bytes.ContainsRune(p.src[end:v.EndOffset-1], '\n') {
		return apply(p.src, append(changes, splice{at: end, ins: ins})...)
	}
	return apply(p.src, append(changes, splice{at: end, del: v.EndOffset - 1 - end, ins: ins + p.nl + closing})...)
}

// lines formats the member over several lines.
func (m field) lines(indent, unit, nl string) string {
	var b strings.Builder
	b.WriteString(quote(m.key) + ": ")
	inner, ok := m.value.(fields)
	if !ok || len(inner) == 0 {
		b.WriteString(m.scalar())
		return b.String()
	}
	b.WriteString("{")
	for i, f := range inner {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(nl + indent + unit + f.lines(indent+unit, unit, nl))
	}
	b.WriteString(nl + indent + "}")
	return b.String()
}

// line formats the member in one line.
func (m field) line() string {
	inner, ok := m.value.(fields)
	if !ok || len(inner) == 0 {
		return quote(m.key) + ": " + m.scalar()
	}
	parts := make([]string, len(inner))
	for i, f := range inner {
		parts[i] = f.line()
	}
	return quote(m.key) + ": {" + strings.Join(parts, ", ") + "}"
}

func (m field) scalar() string {
	switch v := m.value.(type) {
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = quote(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{}"
}

func (f jsonFile) command(data []byte, name, program string) ([]byte, error) {
	p, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	entry, _, err := p.entry(name)
	if err != nil {
		return nil, err
	}
	m, _, err := member(&entry.Value, "command")
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errForm("its command is missing")
	}
	v := m.Value
	if list, ok := v.Value.(*hujson.Array); ok && len(list.Elements) > 0 {
		v = list.Elements[0]
	}
	if _, ok := v.Value.(hujson.Literal); !ok {
		return nil, errForm("its command is no text")
	}
	out := apply(p.src, splice{at: v.StartOffset, del: v.EndOffset - v.StartOffset, ins: quote(program)})
	return checked(f.tree, f.root, data, p.with(out), name)
}

func (p parsed) entry(name string) (*hujson.ObjectMember, int, error) {
	if p.root == nil {
		return nil, 0, errForm("the entry is gone")
	}
	m, at, err := member(p.root, name)
	if err == nil && m == nil {
		err = errForm("the entry is gone")
	}
	return m, at, err
}

func errForm(why string) error {
	return refuse(CodeForm,
		"The configuration has a form that Search MCP doesn't edit, so it was left unchanged. Please edit it by hand.", why,
		nil)
}

func (f jsonFile) remove(data []byte, name string) ([]byte, error) {
	p, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	m, at, err := p.entry(name)
	if err != nil {
		return nil, err
	}
	return checked(f.tree, f.root, data, p.with(p.cut(p.root, m, at)), name)
}

// cut removes a member from an object, with its line and its comma.
func (p parsed) cut(v *hujson.Value, m *hujson.ObjectMember, at int) []byte {
	object := v.Value.(*hujson.Object)
	from := m.Name.StartOffset
	for from > 0 && (p.src[from-1] == ' ' || p.src[from-1] == '\t') {
		from--
	}
	if from > 0 && p.src[from-1] == '\n' {
		from--
		if from > 0 && p.src[from-1] == '\r' {
			from--
		}
	}
	to, last := m.Value.EndOffset, at == len(object.Members)-1
	if comma := !last || m.Value.AfterExtra != nil; comma {
		to += len(m.Value.AfterExtra) + 1
	}
	var changes []splice
	switch {
	case len(object.Members) == 1:
		if rest := append(bytes.Clone(p.src[v.StartOffset+1:from]),
			p.src[to:v.EndOffset-1]...); len(bytes.TrimSpace(rest)) == 0 {
			from, to = v.StartOffset+1, v.EndOffset-1
		}
	case last && m.Value.AfterExtra == nil:
		before := object.Members[at-1].Value
		changes = append(changes, splice{at: before.EndOffset + len(before.AfterExtra), del: 1})
	}
	return apply(p.src, append(changes, splice{at: from, del: to - from})...)
}

func (f jsonFile) creates(data []byte) (created, error) {
	p, err := f.parse(data)
	return createdBy(data, p.root != nil), err
}

func (f jsonFile) prune(data []byte, w created) ([]byte, error) {
	p, err := f.parse(data)
	if err != nil || w == createdNothing || p.root == nil {
		return data, err
	}
	if inner := p.src[p.root.StartOffset+1 : p.root.EndOffset-1]; len(bytes.TrimSpace(inner)) > 0 {
		return data, nil // other servers, or a comment
	}
	m, at, err := member(p.top, f.root)
	if err != nil {
		return nil, err
	}
	out := p.cut(p.top, m, at)
	if w != createdRoot && string(bytes.TrimSpace(out)) == "{}" {
		return w.emptied(p.text), nil
	}
	return checked(f.tree, f.root, data, p.with(out), Name)
}

// checked compares the decoded file before and after: only the named entry below root may differ.
func checked(tree func([]byte) (map[string]any, error), root string, before, after []byte, name string) ([]byte,
	error) {
	a, err := tree(before)
	if err != nil {
		return nil, err
	}
	b, err := tree(after)
	if err != nil {
		return nil, errForm("after the edit: " + err.Error())
	}
	if !equalExcept(a, b, root, name) {
		return nil, errForm("the edit would have changed something else")
	}
	return after, nil
}

// equalExcept reports whether two trees are equal except for one entry below root. It modifies both.
func equalExcept(a, b map[string]any, root, name string) bool {
	for _, tree := range [2]map[string]any{a, b} {
		if entries, ok := tree[root].(map[string]any); ok {
			delete(entries, name)
			if len(entries) == 0 {
				delete(tree, root)
			}
		} else if tree[root] == nil {
			delete(tree, root) // a key without a value, in YAML
		}
	}
	return (len(a) == 0 && len(b) == 0) || reflect.DeepEqual(a, b)
}
