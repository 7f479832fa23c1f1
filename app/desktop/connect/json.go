package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
)

// jsonFile is the format of a JSON file. Unless strict is set, the file may contain comments and trailing commas.
type jsonFile struct {
	root   string
	strict bool
	entry  func(s server) fields
}

var errNotObject = errors.New("it is not an object")

type parsed struct {
	text
	top  *hujson.Value
	root *hujson.Value
}

func (f jsonFile) parse(data []byte) (parsed, error) {
	p := parsed{text: readText(data)}
	if p.empty() {
		p.src = []byte("{}" + p.nl)
	}
	top, err := hujson.Parse(bytes.Clone(p.src)) // a clone, because hujson.Parse modifies its input
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
	return api.New(CodeBroken, fmt.Sprintf(
		"The configuration can't be read (%s), so it was left unchanged. Please fix it and try again.", why),
		"broken configuration", err)
}

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
			return nil, 0, errBroken(fmt.Errorf("%q: it is there twice", name))
		}
		found, at = &object.Members[i], i
	}
	return found, at, nil
}

func (f jsonFile) servers(data []byte) ([]server, error) {
	tree, err := f.tree(data)
	return listed(tree[f.root], "command"), err
}

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

func listed(tree any, key string) []server {
	byName, _ := tree.(map[string]any)
	var list []server
	for name, v := range byName {
		entry, _ := v.(map[string]any)
		s := server{name: name}
		switch command := entry[key].(type) {
		case string:
			s.command, s.args = command, texts(entry["args"])
		case []any:
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

// edit applies change to the parsed file and returns the new text. It fails if anything except the server with the
// given name changes.
func (f jsonFile) edit(data []byte, name string, change func(p parsed) error) ([]byte, error) {
	p, err := f.parse(data)
	if err == nil {
		err = change(p)
	}
	if err != nil {
		return nil, err
	}
	return checked(f.tree, f.root, data, p.with(p.top.Pack()), name)
}

func (f jsonFile) add(data []byte, s server) ([]byte, error) {
	return f.edit(data, s.name, func(p parsed) error {
		at, member := p.root, field{s.name, f.entry(s)}
		if at == nil {
			at, member = p.top, field{f.root, fields{member}}
		}
		return p.insert(at, member)
	})
}

func (p parsed) unit() string {
	if object := p.top.Value.(*hujson.Object); len(object.Members) > 0 {
		if first := object.Members[0].Name.StartOffset; p.first(first) && p.indent(first) != "" {
			return p.indent(first)
		}
	}
	return "  "
}

func (p parsed) insert(v *hujson.Value, m field) error {
	object := v.Value.(*hujson.Object)
	closing, nl := p.indent(v.StartOffset), p.nl
	indent := closing + p.unit()
	comments := strings.TrimRight(string(object.AfterExtra), space)
	blank := string(object.AfterExtra)[len(comments):]
	trailing := false
	if n := len(object.Members); n > 0 {
		trailing = object.Members[n-1].Value.AfterExtra != nil
		if !bytes.ContainsRune(p.src[v.StartOffset:v.EndOffset], '\n') {
			nl, indent = "", ""
			comments += " "
		} else if first := object.Members[0].Name.StartOffset; p.first(first) {
			indent = p.indent(first)
		}
	}
	if nl != "" && !strings.Contains(blank, "\n") {
		blank = nl + closing
	}
	added, err := hujson.Parse([]byte("{" + comments + nl + indent + m.format(indent, p.unit(), nl) + "}"))
	if err != nil {
		return errForm("the new entry: " + err.Error())
	}
	member := added.Value.(*hujson.Object).Members[0]
	if trailing {
		member.Value.AfterExtra = hujson.Extra{} // an empty Extra keeps the trailing comma, unlike nil
	}
	object.Members, object.AfterExtra = append(object.Members, member), hujson.Extra(blank)
	return nil
}

// format returns m as JSON with the given indentation. If nl, the line break, is "", the result is a single line.
func (m field) format(indent, unit, nl string) string {
	inner, ok := m.value.(fields)
	if !ok || len(inner) == 0 {
		return quote(m.key) + ": " + m.scalar()
	}
	parts := make([]string, len(inner))
	for i, f := range inner {
		if parts[i] = f.format(indent+unit, unit, nl); nl != "" {
			parts[i] = nl + indent + unit + parts[i]
		}
	}
	if nl == "" {
		return quote(m.key) + ": {" + strings.Join(parts, ", ") + "}"
	}
	return quote(m.key) + ": {" + strings.Join(parts, ",") + nl + indent + "}"
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
	return f.edit(data, name, func(p parsed) error {
		entry, _, err := p.entry(name)
		if err != nil {
			return err
		}
		m, _, err := member(&entry.Value, "command")
		if err == nil && m == nil {
			err = errForm("its command is missing")
		}
		if err != nil {
			return err
		}
		v := &m.Value
		if list, ok := v.Value.(*hujson.Array); ok && len(list.Elements) > 0 {
			v = &list.Elements[0]
		}
		if _, ok := v.Value.(hujson.Literal); !ok {
			return errForm("its command is no text")
		}
		v.Value = hujson.Literal(quote(program))
		return nil
	})
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
	return api.New(CodeForm,
		"The configuration has a format that Search MCP doesn't edit, so it was left unchanged. Please edit it by hand.", why,
		nil)
}

func (f jsonFile) remove(data []byte, name string) ([]byte, error) {
	return f.edit(data, name, func(p parsed) error {
		_, at, err := p.entry(name)
		if err != nil {
			return err
		}
		cutMember(p.root, at)
		servers := p.root.Value.(*hujson.Object)
		if len(servers.Members) > 0 || len(bytes.TrimSpace(servers.AfterExtra)) > 0 {
			return nil
		}
		if _, at, err = member(p.top, f.root); err == nil {
			cutMember(p.top, at)
		}
		return err
	})
}

func cutMember(v *hujson.Value, at int) {
	object := v.Value.(*hujson.Object)
	m := object.Members[at]
	object.Members = slices.Delete(object.Members, at, at+1)
	next := &object.AfterExtra
	if at < len(object.Members) {
		next = &object.Members[at].Name.BeforeExtra
	}
	before := bytes.TrimRight(m.Name.BeforeExtra, " \t")
	before = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r"))
	*next = slices.Concat(before, *next)
	switch {
	case len(object.Members) == 0 && len(bytes.TrimSpace(*next)) == 0:
		*next = nil
	case at == len(object.Members) && at > 0:
		last := &object.Members[at-1].Value
		if m.Value.AfterExtra == nil {
			*next, last.AfterExtra = slices.Concat(last.AfterExtra, *next), nil
		} else if last.AfterExtra == nil {
			last.AfterExtra = hujson.Extra{} // keeps the trailing comma
		}
	}
}

// checked returns after. It fails if the two texts differ in anything except the entry with the given name. tree
// decodes both texts.
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

func equalExcept(a, b map[string]any, root, name string) bool {
	for _, tree := range [2]map[string]any{a, b} {
		if entries, ok := tree[root].(map[string]any); ok {
			delete(entries, name)
			if len(entries) == 0 {
				delete(tree, root)
			}
		} else if tree[root] == nil {
			delete(tree, root) // in YAML, a key without a value
		}
	}
	return (len(a) == 0 && len(b) == 0) || reflect.DeepEqual(a, b)
}
