package connect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Name is the key under which editors know the server.
const Name = "search"

// sub is the command of search-mcp that an editor runs.
const sub = "mcp"

// description is what editors that show one say of the server.
const description = "Search your projects by meaning and by words. Nothing leaves this computer."

// server is an MCP server as an editor's configuration has it.
type server struct {
	name    string
	command string
	args    []string
}

// ours reports whether the server is search-mcp, of whatever folder and name: it decides what may be changed and
// removed.
func (s server) ours() bool {
	base := s.command[strings.LastIndexAny(s.command, `/\`)+1:]
	return base == "search-mcp" || strings.EqualFold(base, "search-mcp.exe")
}

// starts reports whether the entry starts the bridge of that program. Arguments that a person added after the command
// (--project and others) are right, too.
func (s server) starts(program, goos string) bool {
	same := s.command == program || (goos == "windows" && strings.EqualFold(s.command, program))
	return same && len(s.args) > 0 && s.args[0] == sub
}

// field is one member of an object whose order is kept.
type field struct {
	key   string
	value any // string, bool, int, []string or fields
}

type fields []field

// format is a grammar of configuration files. Its edits leave every byte that they don't have to touch.
type format interface {
	// servers lists the entries of a file. nil data is a file that is not there.
	servers(data []byte) ([]server, error)
	// add enters a server under a name that is free. nil data makes a new file.
	add(data []byte, s server) ([]byte, error)
	// command changes nothing but the program that an entry runs.
	command(data []byte, name, program string) ([]byte, error)
	// remove takes an entry out. It returns nil where the whole file was ours.
	remove(data []byte, name string) ([]byte, error)
	// creates tells what add would make beside the entry, prune takes that away if it holds nothing any more.
	creates(data []byte) (created, error)
	prune(data []byte, w created) ([]byte, error)
}

// verifyEntry refuses an edit after which the server is not read back.
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

// splice is one change of a text: del bytes at at give way to ins.
type splice struct {
	at, del int
	ins     string
}

// apply makes changes that are in order and don't overlap. What is left is never nil: an empty file is a file.
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

// text is a file's content without its byte order mark, and how its lines end.
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

// space is what every grammar here takes for nothing.
const space = " \t\r\n"

func (t text) empty() bool { return len(bytes.Trim(t.src, space)) == 0 }

// with puts the byte order mark back.
func (t text) with(src []byte) []byte { return append(append([]byte{}, t.mark...), src...) }

// indent is the white space that the line of an offset begins with.
func (t text) indent(offset int) string {
	start := bytes.LastIndexByte(t.src[:offset], '\n') + 1
	end := start
	for end < offset && (t.src[end] == ' ' || t.src[end] == '\t') {
		end++
	}
	return string(t.src[start:end])
}

// first reports whether only white space stands before an offset in its line.
func (t text) first(offset int) bool {
	start := bytes.LastIndexByte(t.src[:offset], '\n') + 1
	return start > 0 && len(bytes.TrimSpace(t.src[start:offset])) == 0
}

// quote writes a JSON string, which is a string of YAML and TOML as well.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
