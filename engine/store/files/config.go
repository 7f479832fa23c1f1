package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
)

// ConfigName is the name of a project's configuration, and of the data folder's with defaults for projects.
const ConfigName = "config.json"

// LoadConfig reads a configuration; see ParseConfig. A missing file gives defaults and an error that wraps fs.ErrNotExist, any other
// that cannot be read or parsed an error that says why: the caller decides what stays in force.
func LoadConfig(path string, defaults api.Config) (api.Config, []string, error) {
	text, err := ReadFile(path)
	if err != nil {
		return defaults, nil, fmt.Errorf("read configuration: %w", err)
	}
	return ParseConfig(text, defaults)
}

// ParseConfig reads a configuration's text: JSON, in which comments and trailing commas are accepted. Each field that is missing takes its
// value from defaults, silently, and each that is invalid (RFC 7.2) with a sentence among the problems. The error is for a text that is
// no JSON object.
func ParseConfig(text []byte, defaults api.Config) (api.Config, []string, error) {
	fields, order, err := parseObject(text)
	if err != nil {
		return defaults, nil, fmt.Errorf("parse configuration: %w", err)
	}
	p := configParser{fields: fields, c: defaults}
	p.globs("include", &p.c.Include)
	p.globs("exclude", &p.c.Exclude)
	p.bool("respectGitignore", &p.c.RespectGitignore)
	p.size("maxFileSize", &p.c.MaxFileSize)
	p.positive("maxFiles", &p.c.MaxFiles)
	p.globs("docPatterns", &p.c.DocPatterns)
	p.bool("indexDocs", &p.c.IndexDocs)
	p.bool("enhancedToolDescriptions", &p.c.EnhancedToolDescriptions)
	p.strategy("indexingStrategy", &p.c.IndexingStrategy)
	p.positive("lazyIdleThreshold", &p.c.LazyIdleThreshold)
	for _, key := range order {
		if !strings.HasPrefix(key, "_") && !slices.Contains(p.known, key) {
			p.problems = append(p.problems, fmt.Sprintf("%s is not a known option and has no effect.", key))
		}
	}
	return p.c, p.problems, nil
}

// byteOrderMark begins files of some Windows editors.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parseObject takes a JSON object with comments apart, and gives its keys in order.
func parseObject(text []byte) (fields map[string]json.RawMessage, order []string, err error) {
	v, err := hujson.Parse(bytes.TrimPrefix(text, byteOrderMark))
	if err != nil {
		return nil, nil, err
	}
	v.Standardize()
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, nil, errors.New("it is not a JSON object")
	}
	if err := json.Unmarshal(v.Pack(), &fields); err != nil {
		return nil, nil, err
	}
	for _, m := range object.Members {
		if name, ok := m.Name.Value.(hujson.Literal); ok {
			order = append(order, name.String())
		}
	}
	return fields, order, nil
}

// configParser fills in c from fields and gathers what is wrong with them.
type configParser struct {
	fields   map[string]json.RawMessage
	c        api.Config
	known    []string
	problems []string
}

// field decodes a field into v; false if it is missing or of another type.
func (p *configParser) field(key, want string, v any) bool {
	p.known = append(p.known, key)
	raw, ok := p.fields[key]
	if !ok {
		return false
	}
	if string(raw) == "null" || json.Unmarshal(raw, v) != nil {
		p.problem(key, want)
		return false
	}
	return true
}

func (p *configParser) problem(key, want string) {
	raw := string(p.fields[key])
	if len(raw) > 40 {
		raw = strings.ToValidUTF8(raw[:40], "") + "…"
	}
	p.problems = append(p.problems, fmt.Sprintf("%s must be %s, not %s; the default is used.", key, want, raw))
}

func (p *configParser) bool(key string, into *bool) {
	var v bool
	if p.field(key, "true or false", &v) {
		*into = v
	}
}

func (p *configParser) globs(key string, into *[]string) {
	var v []string
	if !p.field(key, "a list of glob patterns", &v) {
		return
	}
	for _, g := range v {
		if g == "" || !doublestar.ValidatePattern(g) {
			p.problems = append(p.problems, fmt.Sprintf("%s holds %q, which is not a valid glob pattern; the default is used.", key, g))
			return
		}
	}
	*into = v
}

func (p *configParser) positive(key string, into *int) {
	const want = "a whole number above 0"
	var v float64
	if !p.field(key, want, &v) {
		return
	}
	if v < 1 || v != math.Trunc(v) || v > math.MaxInt32 {
		p.problem(key, want)
		return
	}
	*into = int(v)
}

// sizePattern is RFC 7.2's.
var sizePattern = regexp.MustCompile(`^(\d+)(KB|MB)$`)

func (p *configParser) size(key string, into *int64) {
	const want = "a size such as '500KB' or '1MB'"
	var v string
	if !p.field(key, want, &v) {
		return
	}
	n, ok := parseSize(v)
	if !ok {
		p.problem(key, want)
		return
	}
	*into = n
}

func parseSize(s string) (int64, bool) {
	m := sizePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	if err != nil || n == 0 {
		return 0, false
	}
	if m[2] == "MB" {
		return n << 20, true
	}
	return n << 10, true
}

func formatSize(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%dMB", n>>20)
	}
	return fmt.Sprintf("%dKB", max(1, (n+1<<10-1)>>10))
}

func (p *configParser) strategy(key string, into *api.Strategy) {
	const want = "'realtime', 'lazy' or 'git'"
	var v api.Strategy
	if !p.field(key, want, &v) {
		return
	}
	if v != api.Realtime && v != api.Lazy && v != api.Git {
		p.problem(key, want)
		return
	}
	*into = v
}

// configTail is what RFC 7.1 prints below the fields.
const configTail = `  "_hardcodedExcludes": [
    "// These patterns are ALWAYS excluded and cannot be overridden:",
    "// - node_modules/, jspm_packages/, bower_components/  (dependencies)",
    "// - .git/, .hg/, .svn/  (version control)",
    "// - dist/, build/, out/, target/  (build artifacts)",
    "// - .env, .env.*, *.pem, *.key  (secrets)",
    "// - *.log, *.lock, package-lock.json, yarn.lock  (logs/locks)",
    "// - .idea/, .vscode/, .DS_Store  (IDE config)",
    "// - coverage/  (test coverage)",
    "// - Binary files (images, videos, etc.) are auto-detected and skipped"
  ],

  "_availableOptions": {
    "include": "Glob patterns for files to index. Default: all files.",
    "exclude": "Glob patterns to skip (in addition to hardcoded excludes).",
    "respectGitignore": "If true, also excludes files matching .gitignore.",
    "maxFileSize": "Skip files larger than this. Supports: '500KB', '1MB', '2MB'.",
    "maxFiles": "Warn if project exceeds this many files.",
    "docPatterns": "Glob patterns for documentation files. Default: ['**/*.md', '**/*.txt'].",
    "indexDocs": "If true, index documentation files with prose-optimized chunking. Default: true.",
    "enhancedToolDescriptions": "If true, tool descriptions include AI hints. Default: false.",
    "indexingStrategy": "Indexing strategy: 'realtime' (immediate), 'lazy' (on idle/search), 'git' (on commit). Default: 'realtime'.",
    "lazyIdleThreshold": "Seconds of inactivity before lazy indexing triggers. Default: 30."
  }
}
`

// RenderConfig writes a configuration as RFC 7.1 prints it, comments included.
func RenderConfig(c api.Config) []byte {
	var b bytes.Buffer
	line := func(key string, v any) { fmt.Fprintf(&b, "  %q: %s,\n", key, oneLine(v)) }
	b.WriteString("{\n")
	line("_comment", "Search MCP Configuration - Edit to customize indexing behavior")
	b.WriteByte('\n')
	line("include", list(c.Include))
	line("exclude", list(c.Exclude))
	b.WriteByte('\n')
	line("respectGitignore", c.RespectGitignore)
	line("maxFileSize", formatSize(c.MaxFileSize))
	line("maxFiles", c.MaxFiles)
	b.WriteByte('\n')
	line("docPatterns", list(c.DocPatterns))
	line("indexDocs", c.IndexDocs)
	b.WriteByte('\n')
	line("enhancedToolDescriptions", c.EnhancedToolDescriptions)
	b.WriteByte('\n')
	line("indexingStrategy", string(c.IndexingStrategy))
	line("lazyIdleThreshold", c.LazyIdleThreshold)
	b.WriteByte('\n')
	b.WriteString(configTail)
	return b.Bytes()
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// oneLine is the JSON form of plain values with a space after each comma, as the RFC writes lists.
func oneLine(v any) string {
	if s, ok := v.([]string); ok {
		parts := make([]string, len(s))
		for i, e := range s {
			parts[i] = oneLine(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null" // no value of a configuration fails to encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// CreateConfig writes config.json into a project's folder unless there is one.
func CreateConfig(dir string, c api.Config) error {
	path := filepath.Join(dir, ConfigName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("create configuration: %w", err)
	}
	return WriteFile(path, RenderConfig(c))
}

// EditJSON sets keys of a JSON object and leaves all else, comments and unknown keys, byte for byte. An empty text is an empty object.
func EditJSON(text []byte, changes map[string]any) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{\n}\n")
	}
	v, err := hujson.Parse(bytes.TrimPrefix(text, byteOrderMark))
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("parse: it is not a JSON object")
	}
	keys := make([]string, 0, len(changes))
	for k := range changes {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		value, err := hujson.Parse([]byte(oneLine(changes[k])))
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", k, err)
		}
		setMember(object, k, value.Value)
	}
	return v.Pack(), nil
}

// setMember replaces a member's value or adds a member on a line of its own.
func setMember(o *hujson.Object, key string, value hujson.ValueTrimmed) {
	for i := range o.Members {
		if name, ok := o.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			o.Members[i].Value.Value = value
			return
		}
	}
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra("\n  "), Value: hujson.String(key)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: value},
	})
	if len(o.AfterExtra) == 0 {
		o.AfterExtra = hujson.Extra("\n")
	}
}
