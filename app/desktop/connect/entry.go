package connect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

const Name = "search"

const sub, dataFlag = "mcp", "--data"

const description = "Search your projects by meaning and by words. Nothing leaves this computer."

type server struct {
	name    string
	command string
	args    []string
}

// ours reports whether the server runs search-mcp. Only such an entry may be changed.
func (s server) ours() bool {
	base := s.command[strings.LastIndexAny(s.command, `/\`)+1:]
	return base == "search-mcp" || strings.EqualFold(base, "search-mcp.exe")
}

// runs reports whether the server runs our program with our data folder.
func (m *Machine) runs(s server) bool {
	same := s.command == m.Program || (m.OS == "windows" && strings.EqualFold(s.command, m.Program))
	return same && slices.Equal(s.args, m.arguments(s.args))
}

type field struct {
	key   string
	value any // a string, bool, int, []string or fields
}

type fields []field

// format edits a configuration file. Its methods change only the necessary bytes.
type format interface {
	servers(data []byte) ([]server, error)
	// add adds the server s, whose name must be unused. data is nil if the file does not exist.
	add(data []byte, s server) ([]byte, error)
	command(data []byte, name, program string) ([]byte, error)
	// remove removes the server with the given name. It returns nil if nothing else is in the file.
	remove(data []byte, name string) ([]byte, error)
}

func verifyEntry(f format, after []byte, s server) error {
	list, err := f.servers(after)
	if err != nil {
		return errForm("after the edit: " + err.Error())
	}
	at := slices.IndexFunc(list, func(o server) bool { return o.name == s.name })
	if at < 0 || list[at].command != s.command || !slices.Equal(list[at].args, s.args) {
		return errForm("the entry is not read back")
	}
	return nil
}

type splice struct {
	at, del int
	ins     string
}

// apply returns src with the changes applied. The result is never nil.
func apply(src []byte, changes ...splice) []byte {
	out := bytes.NewBuffer([]byte{})
	last := 0
	for _, c := range changes {
		out.Write(src[last:c.at])
		out.WriteString(c.ins)
		last = c.at + c.del
	}
	out.Write(src[last:])
	return out.Bytes()
}

var bom = []byte("\xef\xbb\xbf")

// text is the content of a file without its byte order mark.
type text struct {
	src  []byte
	mark []byte
	nl   string
}

func readText(data []byte) text {
	t := text{src: data, nl: "\n"}
	if bytes.HasPrefix(data, bom) {
		t.mark, t.src = bom, data[len(bom):]
	}
	if i := bytes.IndexByte(t.src, '\n'); i > 0 && t.src[i-1] == '\r' {
		t.nl = "\r\n"
	}
	return t
}

const space = " \t\r\n"

func (t text) empty() bool { return len(bytes.Trim(t.src, space)) == 0 }

func (t text) with(src []byte) []byte { return append(append([]byte{}, t.mark...), src...) }

func (t text) indent(offset int) string {
	start := bytes.LastIndexByte(t.src[:offset], '\n') + 1
	end := start
	for end < offset && (t.src[end] == ' ' || t.src[end] == '\t') {
		end++
	}
	return string(t.src[start:end])
}

func (t text) first(offset int) bool {
	start := bytes.LastIndexByte(t.src[:offset], '\n') + 1
	return start > 0 && len(bytes.TrimSpace(t.src[start:offset])) == 0
}

// quote returns s as a JSON string, which is also valid YAML and TOML.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // unreachable: a string can always be encoded
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
