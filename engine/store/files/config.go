package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
	"searchmcp/engine/glob"
)

// ConfigName is the configuration's file name, in a project's folder and in the data folder (RFC 3.1).
const ConfigName = "config.json"

// CreateConfig writes a new project's config.json with the RFC's comments (7.1). A file that is there stays as it is.
func CreateConfig(dir string, c api.Config) error {
	path := filepath.Join(dir, ConfigName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return WriteFile(path, RenderConfig(c))
}

// LoadConfig reads a config.json. Every field that is absent or invalid has base's value; problems has a sentence for
// each invalid one. A file that cannot be read or is no JSON object gives base, and the error says why: the caller
// passes the last valid configuration as base and makes sure that the person sees the warning (RFC 7.2). A missing
// file gives base and an error that wraps fs.ErrNotExist.
func LoadConfig(path string, base api.Config) (c api.Config, problems []string, err error) {
	text, err := ReadFile(path)
	if err != nil {
		return base, nil, fmt.Errorf("read configuration: %w", err)
	}
	return ParseConfig(text, base)
}

// ParseConfig is LoadConfig on text. Comments and trailing commas are allowed.
func ParseConfig(text []byte, base api.Config) (c api.Config, problems []string, err error) {
	plain, err := hujson.Standardize(ended(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	if err != nil {
		return base, nil, fmt.Errorf("parse configuration: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(plain, &fields); err != nil {
		return base, nil, fmt.Errorf("parse configuration: %w", err)
	}
	if fields == nil {
		return base, nil, errors.New("parse configuration: not an object but null")
	}
	c = base
	for _, f := range configFields {
		raw, ok := fields[f.name]
		if !ok {
			continue
		}
		if err := f.set(&c, raw); err != nil {
			problems = append(problems, fmt.Sprintf("%s must be %s; %s is used instead.", f.name, f.want, f.show(base)))
		}
	}
	return c, problems, nil
}

// ended copies a text and gives its last line an end: the parser takes a comment at the very end for unfinished
// without one.
func ended(text []byte) []byte {
	out := bytes.Clone(text)
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return out
}

// configField is one option of the file.
type configField struct {
	name string
	want string // what is valid, to follow «must be»
	set  func(c *api.Config, raw json.RawMessage) error
	get  func(c api.Config) any // as it stands in the file
	help string                 // RFC 7.1, _availableOptions
	// optional fields are written only when they are set, and not explained in the file.
	optional bool
}

func (f configField) show(c api.Config) string {
	text, err := json.Marshal(f.get(c))
	if err != nil {
		return "its default"
	}
	return string(text)
}

var errInvalid = errors.New("invalid value")

// configFields holds the options in the order of RFC 7.1.
var configFields = []configField{
	globField("include", "Glob patterns for files to index. Default: all files.",
		func(c *api.Config) *[]string { return &c.Include }),
	globField("exclude", "Glob patterns to skip (in addition to hardcoded excludes).",
		func(c *api.Config) *[]string { return &c.Exclude }),
	boolField("respectGitignore", "If true, also excludes files matching .gitignore.",
		func(c *api.Config) *bool { return &c.RespectGitignore }),
	{
		name: "maxFileSize", want: "a size such as '500KB', '1MB' or '2MB'",
		help: "Skip files larger than this. Supports: '500KB', '1MB', '2MB'.",
		set: func(c *api.Config, raw json.RawMessage) error {
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return err
			}
			n, err := parseSize(s)
			if err != nil {
				return err
			}
			c.MaxFileSize = n
			return nil
		},
		get: func(c api.Config) any { return formatSize(c.MaxFileSize) },
	},
	intField("maxFiles", "Warn if project exceeds this many files.", func(c *api.Config) *int { return &c.MaxFiles }),
	globField("docPatterns", "Glob patterns for documentation files. Default: ['**/*.md', '**/*.txt'].",
		func(c *api.Config) *[]string { return &c.DocPatterns }),
	boolField("indexDocs", "If true, index documentation files with prose-optimized chunking. Default: true.",
		func(c *api.Config) *bool { return &c.IndexDocs }),
	boolField("enhancedToolDescriptions", "If true, tool descriptions include AI hints. Default: false.",
		func(c *api.Config) *bool { return &c.EnhancedToolDescriptions }),
	{
		name: "indexingStrategy", want: "'realtime', 'lazy' or 'git'",
		help: "Indexing strategy: 'realtime' (immediate), 'lazy' (on idle/search), 'git' (on commit). Default: 'realtime'.",
		set: func(c *api.Config, raw json.RawMessage) error {
			var s api.Strategy
			if err := json.Unmarshal(raw, &s); err != nil {
				return err
			}
			if s != api.Realtime && s != api.Lazy && s != api.Git {
				return errInvalid
			}
			c.IndexingStrategy = s
			return nil
		},
		get: func(c api.Config) any { return c.IndexingStrategy },
	},
	intField("lazyIdleThreshold", "Seconds of inactivity before lazy indexing triggers. Default: 30.",
		func(c *api.Config) *int { return &c.LazyIdleThreshold }),
	{
		// Not in the RFC's file: it appears when a project gets a further folder (RFC 12, multi-root).
		name: "extraRoots", optional: true, help: "Further folders of the project. `search-mcp root add` writes them.",
		want: `a list of {"name", "path"} with absolute paths and different names without slashes or @`,
		set: func(c *api.Config, raw json.RawMessage) error {
			var roots []api.Root
			if err := json.Unmarshal(raw, &roots); err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, r := range roots {
				if !filepath.IsAbs(r.Path) || r.Name == "" || r.Name == "." || r.Name == ".." ||
					strings.ContainsAny(r.Name, `/\@`) || seen[r.Name] {
					return errInvalid
				}
				seen[r.Name] = true
			}
			c.ExtraRoots = roots
			return nil
		},
		get: func(c api.Config) any { return append([]api.Root{}, c.ExtraRoots...) },
	},
}

func globField(name, help string, at func(*api.Config) *[]string) configField {
	return configField{
		name: name, want: "a list of glob patterns", help: help,
		set: func(c *api.Config, raw json.RawMessage) error {
			var list []string
			if err := json.Unmarshal(raw, &list); err != nil {
				return err
			}
			if list == nil {
				return errInvalid
			}
			for _, g := range list {
				if _, err := glob.Compile(g); err != nil || g == "" {
					return errInvalid
				}
			}
			*at(c) = list
			return nil
		},
		get: func(c api.Config) any { return append([]string{}, *at(&c)...) },
	}
}

func boolField(name, help string, at func(*api.Config) *bool) configField {
	return configField{
		name: name, want: "true or false", help: help,
		set: func(c *api.Config, raw json.RawMessage) error {
			var b *bool
			if err := json.Unmarshal(raw, &b); err != nil {
				return err
			}
			if b == nil {
				return errInvalid
			}
			*at(c) = *b
			return nil
		},
		get: func(c api.Config) any { return *at(&c) },
	}
}

func intField(name, help string, at func(*api.Config) *int) configField {
	return configField{
		name: name, want: "a whole number above 0", help: help,
		set: func(c *api.Config, raw json.RawMessage) error {
			var n *int
			if err := json.Unmarshal(raw, &n); err != nil {
				return err
			}
			if n == nil || *n <= 0 {
				return errInvalid
			}
			*at(c) = *n
			return nil
		},
		get: func(c api.Config) any { return *at(&c) },
	}
}

// sizePattern is RFC 7.2's.
var sizePattern = regexp.MustCompile(`^(\d+)(KB|MB)$`)

// maxSize keeps a configured size within what memory can hold of one file.
const maxSize = 1 << 30

func parseSize(s string) (int64, error) {
	m := sizePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, errInvalid
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return 0, err
	}
	unit := int64(1 << 10)
	if m[2] == "MB" {
		unit = 1 << 20
	}
	if n == 0 || n > maxSize/unit {
		return 0, errInvalid
	}
	return n * unit, nil
}

func formatSize(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%dMB", n>>20)
	}
	return fmt.Sprintf("%dKB", max(1, n>>10))
}

// hardcodedExcludes is RFC 7.1's list, word for word.
var hardcodedExcludes = []string{
	"// These patterns are ALWAYS excluded and cannot be overridden:",
	"// - node_modules/, jspm_packages/, bower_components/  (dependencies)",
	"// - .git/, .hg/, .svn/  (version control)",
	"// - dist/, build/, out/, target/  (build artifacts)",
	"// - .env, .env.*, *.pem, *.key  (secrets)",
	"// - *.log, *.lock, package-lock.json, yarn.lock  (logs/locks)",
	"// - .idea/, .vscode/, .DS_Store  (IDE config)",
	"// - coverage/  (test coverage)",
	"// - Binary files (images, videos, etc.) are auto-detected and skipped",
}

// RenderConfig writes the file of RFC 7.1: values, comments, and the groups set apart by blank lines as printed there.
func RenderConfig(c api.Config) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"_comment\": \"Search MCP Configuration - Edit to customize indexing behavior\",\n")
	fields := slices.DeleteFunc(slices.Clone(configFields), func(f configField) bool { return f.optional })
	for _, f := range fields {
		switch f.name {
		case "include", "respectGitignore", "docPatterns", "enhancedToolDescriptions", "indexingStrategy":
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  %q: %s,\n", f.name, oneLine(f.get(c)))
	}
	b.WriteString("\n  \"_hardcodedExcludes\": [\n")
	writeLines(&b, hardcodedExcludes)
	b.WriteString("  ],\n\n  \"_availableOptions\": {\n")
	for i, f := range fields {
		fmt.Fprintf(&b, "    %q: %s%s\n", f.name, oneLine(f.help), comma(i, len(fields)))
	}
	b.WriteString("  }\n}\n")
	return []byte(b.String())
}

func writeLines(b *strings.Builder, lines []string) {
	for i, l := range lines {
		fmt.Fprintf(b, "    %s%s\n", oneLine(l), comma(i, len(lines)))
	}
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// oneLine is JSON as a person writes it: a space after the commas of a list, no HTML escapes.
func oneLine(v any) string {
	if list, ok := v.([]string); ok {
		parts := make([]string, len(list))
		for i, s := range list {
			parts[i] = oneLine(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// PatchConfig sets options in a configuration's text. Every other byte stays: comments, unknown fields, order, layout.
func PatchConfig(text []byte, changes map[string]any) ([]byte, error) {
	v, err := hujson.Parse(ended(text))
	if err != nil {
		return nil, fmt.Errorf("parse configuration: %w", err)
	}
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var patch []operation
	for _, f := range configFields {
		if value, ok := changes[f.name]; ok {
			patch = append(patch, operation{"add", "/" + f.name, value})
		}
	}
	if len(patch) != len(changes) {
		return nil, errors.New("change configuration: unknown option")
	}
	doc, err := json.Marshal(patch)
	if err != nil {
		return nil, fmt.Errorf("change configuration: %w", err)
	}
	if err := v.Patch(doc); err != nil {
		return nil, fmt.Errorf("change configuration: %w", err)
	}
	return v.Pack(), nil
}
