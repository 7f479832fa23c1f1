package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
	"searchmcp/engine/files/policy"
)

const (
	// ConfigName is the name of a configuration file (RFC 3.1).
	ConfigName = "config.json"
	// ValidName is the name of the backup of the last valid config.json.
	ValidName = "config.valid.json"
)

// CreateConfig writes c to config.json in dir, with comments (RFC 7.1). It keeps an existing file.
func CreateConfig(dir string, c api.Config) error {
	path := filepath.Join(dir, ConfigName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return WriteFile(path, RenderConfig(c, c))
}

// LoadConfig reads the configuration in dir with ParseConfig. problems contains a sentence for each fault.
//
// If config.json is missing or unreadable, LoadConfig reads the backup ValidName. Without a backup, it returns last, or
// base if last is nil. It returns an error if it can't determine which files are excluded.
func LoadConfig(dir string, base api.Config, last *api.Config) (c api.Config, problems []string, err error) {
	if kept, ok := readValid(dir, base); ok {
		last = &kept
	}
	text, err := ReadFile(filepath.Join(dir, ConfigName))
	switch {
	case errors.Is(err, fs.ErrNotExist) && (last == nil || !differ(*last, base)):
		return base, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return *last, []string{"config.json is missing; the last valid configuration stays in use. " +
			"A file with {} means the defaults."}, nil
	case err == nil:
		c, problems, err = ParseConfig(text, base, last)
	}
	var narrows narrowingError
	switch {
	case errors.As(err, &narrows):
		return base, problems, err
	case err != nil && last != nil:
		return *last, []string{"config.json can't be read (" + err.Error() +
			"); the last valid configuration stays in use."}, nil
	case err != nil:
		return base, nil, fmt.Errorf("config.json can't be read: %w", err)
	}
	return c, problems, nil
}

// KeepConfig copies config.json to ValidName if all its fields that exclude files are valid.
func KeepConfig(dir string, base api.Config) error {
	text, err := ReadFile(filepath.Join(dir, ConfigName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	c, _, err := ParseConfig(text, base, nil)
	if err != nil {
		return nil // LoadConfig reports the error
	}
	path, kept := filepath.Join(dir, ValidName), encodeValid(c)
	if old, err := ReadFile(path); err == nil && bytes.Equal(kept, old) {
		return nil
	}
	return WriteFile(path, kept)
}

// ForgetDeleted removes the backup ValidName if the user deleted the config.json in dir. ForgetDeleted must not be
// called for projects, whose config.json is not optional.
func ForgetDeleted(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, ConfigName)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Remove(filepath.Join(dir, ValidName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget deleted configuration: %w", err)
	}
	return nil
}

// narrowingError describes a field that excludes files, such as "exclude", whose value is invalid.
type narrowingError string

func (e narrowingError) Error() string { return string(e) }

func readValid(dir string, base api.Config) (api.Config, bool) {
	text, err := ReadFile(filepath.Join(dir, ValidName))
	if err != nil {
		return base, false
	}
	c, problems, err := ParseConfig(text, base, nil)
	return c, err == nil && len(problems) == 0
}

func encodeValid(c api.Config) []byte {
	all := map[string]any{}
	for _, f := range configFields {
		all[f.name] = f.get(c)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil // impossible, because all values can be encoded
	}
	return append(text, '\n')
}

func differ(a, b api.Config) bool {
	return slices.ContainsFunc(configFields, func(f configField) bool { return !reflect.DeepEqual(f.get(a), f.get(b)) })
}

// ParseConfig parses a configuration in JSON with comments and trailing commas. problems contains a sentence for each
// fault.
//
// An absent or invalid field gets its value in base. A field that excludes files gets its value in last if the field is
// invalid or misspelt. If last is nil, ParseConfig returns an error for such a field.
//
// A field that equals its value in _defaults is treated as absent, so that it follows the global configuration.
func ParseConfig(text []byte, base api.Config, last *api.Config) (c api.Config, problems []string, err error) {
	plain, err := hujson.Standardize(withNewline(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	if err != nil {
		return base, nil, errors.New("not valid JSON: " + strings.TrimPrefix(err.Error(), "hujson: "))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(plain, &fields); err != nil {
		return base, nil, errors.New("not a JSON object")
	}
	if fields == nil {
		return base, nil, errors.New("not a JSON object but null")
	}
	misspelt, names := map[string]bool{}, []string{}
	for _, f := range configFields {
		names = append(names, f.name)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		near := Nearest(name, names)
		switch known := slices.Contains(names, name); {
		case known || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$"): // such as "_comment" or "$schema"
		case near == "":
			problems = append(problems, fmt.Sprintf("There is no option '%s'.", name))
		default:
			problems = append(problems, fmt.Sprintf("There is no option '%s'. Did you mean '%s'?", name, near))
			misspelt[near] = fields[near] == nil
		}
	}
	var written map[string]json.RawMessage
	if err := json.Unmarshal(fields[defaultsName], &written); err != nil {
		written = nil
	}
	c = base
	for _, f := range configFields {
		raw, given := fields[f.name]
		given = given && !f.same(raw, written[f.name])
		if !given && !(f.narrows && misspelt[f.name]) {
			continue
		}
		if given && f.set(&c, raw) == nil {
			continue
		}
		fallback := base
		if f.narrows {
			if last == nil {
				err = narrowingError(fmt.Sprintf("%s must be %s", f.name, f.want))
				if !given {
					err = narrowingError(f.name + " is misspelt")
				} else if bad := badPattern(raw); bad != "" {
					err = narrowingError(fmt.Sprintf("%s has the invalid pattern '%s'", f.name, bad))
				}
				continue
			}
			fallback = *last
			f.copy(&c, *last)
		}
		if !given {
			problems = append(problems, fmt.Sprintf("Until the name is corrected, %s is %s.", f.name, f.show(fallback)))
			continue
		}
		if bad := badPattern(raw); bad != "" {
			problems = append(problems, fmt.Sprintf("%s has the invalid pattern '%s'; %s is used instead.", f.name, bad,
				f.show(fallback)))
			continue
		}
		problems = append(problems, fmt.Sprintf("%s must be %s; %s is used instead.", f.name, f.want, f.show(fallback)))
	}
	return c, problems, err
}

const maxEdits = 2

// Nearest returns the known name that is most similar to name, or "" if none is similar.
func Nearest(name string, names []string) (near string) {
	best := maxEdits + 1
	for _, known := range names {
		if d, closer := glob.Distance(strings.ToLower(known), strings.ToLower(name), best-1); closer {
			near, best = known, d
		}
	}
	return near
}

// withNewline returns a copy of text that ends with a newline, which the parser requires after a comment.
func withNewline(text []byte) []byte {
	out := bytes.Clone(text)
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return out
}

type configField struct {
	name string
	want string // valid values, such as "true or false"
	set  func(c *api.Config, raw json.RawMessage) error
	get  func(c api.Config) any // returns the value as written to config.json
	help string                 // description in config.json
	// optional means that a new config.json does not contain the field.
	optional bool
	// narrows means that the field excludes files from the index.
	narrows bool
	copy    func(c *api.Config, from api.Config)
}

// defaultsName is the name of the field that contains the defaults at the time when config.json was written.
const defaultsName = "_defaults"

func (f configField) same(a, b json.RawMessage) bool {
	var x, y api.Config
	return f.set(&x, a) == nil && f.set(&y, b) == nil && reflect.DeepEqual(f.get(x), f.get(y))
}

func (f configField) show(c api.Config) string {
	text, err := json.Marshal(f.get(c))
	if err != nil {
		return "its default"
	}
	return string(text)
}

var errInvalid = errors.New("invalid value")

// configFields lists the fields of config.json in the order of RFC 7.1.
var configFields = []configField{
	narrowing(globField("include", "Glob patterns for files to index. Default: all files.",
		func(c *api.Config) *[]string { return &c.Include })),
	narrowing(globField("exclude", "Glob patterns to skip (in addition to hardcoded excludes).",
		func(c *api.Config) *[]string { return &c.Exclude })),
	narrowing(boolField("respectGitignore", "If true, also excludes files matching .gitignore.",
		func(c *api.Config) *bool { return &c.RespectGitignore })),
	{
		name: "maxFileSize", want: "a size such as '500KB', '1MB' or '2MB'",
		help: "Skip files larger than this. Supports: '500KB', '1MB', '2MB'.",
		set: func(c *api.Config, raw json.RawMessage) error {
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return err
			}
			n, err := parseSize(s)
			if err == nil {
				c.MaxFileSize = n
			}
			return err
		},
		get: func(c api.Config) any { return formatSize(c.MaxFileSize) },
	},
	intField("maxFiles", "Warn if project exceeds this many files.", func(c *api.Config) *int { return &c.MaxFiles }),
	globField("docPatterns", "Glob patterns for documentation files. Default: ['**/*.md', '**/*.txt'].",
		func(c *api.Config) *[]string { return &c.DocPatterns }),
	narrowing(boolField("indexDocs", "If true, index documentation files with prose-optimized chunking. Default: true.",
		func(c *api.Config) *bool { return &c.IndexDocs })),
	boolField("enhancedToolDescriptions", "If true, tool descriptions include AI hints. Default: false.",
		func(c *api.Config) *bool { return &c.EnhancedToolDescriptions }),
	typedField("indexingStrategy", "'realtime', 'lazy' or 'git'",
		"Indexing strategy: 'realtime' (immediate), 'lazy' (on idle/search), 'git' (on commit). Default: 'realtime'.",
		func(c *api.Config) *api.Strategy { return &c.IndexingStrategy },
		func(s api.Strategy) bool { return s == api.Realtime || s == api.Lazy || s == api.Git }),
	intField("lazyIdleThreshold", "Seconds of inactivity before lazy indexing triggers. Default: 30.",
		func(c *api.Config) *int { return &c.LazyIdleThreshold }),
	// RFC 5.6 requires this setting, but does not name it.
	intField("integrityInterval", "Hours between two comparisons of all files with the index. Default: 24.",
		func(c *api.Config) *int { return &c.IntegrityInterval }),
	{
		// Only projects with several folders have this field.
		name: "extraRoots", optional: true, help: "Further folders of the project. `search-mcp root add` writes them.",
		want: `a list of {"name", "path"} with absolute paths (no home folder, no whole disk) and different names without slashes or @`,
		set: func(c *api.Config, raw json.RawMessage) error {
			var roots []api.Root
			if err := json.Unmarshal(raw, &roots); err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, r := range roots {
				if !filepath.IsAbs(r.Path) || policy.IsTooBroad(r.Path) || r.Name == "" || r.Name == "." || r.Name == ".." ||
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

// typedField returns a field whose value has type T.
func typedField[T any](name, want, help string, at func(*api.Config) *T, valid func(T) bool) configField {
	return configField{
		name: name, want: want, help: help,
		set: func(c *api.Config, raw json.RawMessage) error {
			var v *T
			if err := json.Unmarshal(raw, &v); err != nil {
				return err
			}
			if v == nil || !valid(*v) {
				return errInvalid
			}
			*at(c) = *v
			return nil
		},
		get:  func(c api.Config) any { return *at(&c) },
		copy: func(c *api.Config, from api.Config) { *at(c) = *at(&from) },
	}
}

func narrowing(f configField) configField {
	f.narrows = true
	return f
}

func globField(name, help string, at func(*api.Config) *[]string) configField {
	f := typedField(name, "a list of glob patterns", help, at, func(list []string) bool {
		return !slices.Contains(list, "") && firstInvalid(list) == ""
	})
	f.get = func(c api.Config) any { return append([]string{}, *at(&c)...) }
	return f
}

func firstInvalid(patterns []string) string {
	for _, g := range patterns {
		if _, err := glob.Compile(g); err != nil {
			return g
		}
	}
	return ""
}

func badPattern(raw json.RawMessage) string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	return firstInvalid(list)
}

func boolField(name, help string, at func(*api.Config) *bool) configField {
	return typedField(name, "true or false", help, at, func(bool) bool { return true })
}

func intField(name, help string, at func(*api.Config) *int) configField {
	return typedField(name, "a whole number above 0", help, at, func(n int) bool { return n > 0 })
}

var sizePattern = regexp.MustCompile(`^(\d+)(KB|MB)$`)

// maxSize is the maximum of the setting maxFileSize, because files must fit in memory.
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

// hardcodedExcludes is a comment in config.json (RFC 7.1).
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

// RenderConfig returns the text of a config.json with the values of c and the given defaults (RFC 7.1).
func RenderConfig(c, defaults api.Config) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"_comment\": \"Search MCP Configuration - Edit to customize indexing behavior\",\n")
	var help, initial []string
	for _, f := range configFields {
		if f.optional {
			continue
		}
		switch f.name {
		case "include", "respectGitignore", "docPatterns", "enhancedToolDescriptions", "indexingStrategy":
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  %q: %s,\n", f.name, oneLine(f.get(c)))
		help = append(help, fmt.Sprintf("%q: %s", f.name, oneLine(f.help)))
		initial = append(initial, fmt.Sprintf("%q: %s", f.name, oneLine(f.get(defaults))))
	}
	var excludes []string
	for _, line := range hardcodedExcludes {
		excludes = append(excludes, oneLine(line))
	}
	const next = ",\n    "
	fmt.Fprintf(&b, "\n  \"_hardcodedExcludes\": [\n    %s\n  ],\n\n  \"_availableOptions\": {\n    %s\n  },\n\n"+
		"  %q: {\n    \"_comment\": \"A field that still has the value below follows the config.json of all projects\",\n"+
		"    %s\n  }\n}\n",
		strings.Join(excludes, next), strings.Join(help, next), defaultsName, strings.Join(initial, next))
	return []byte(b.String())
}

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

// PatchConfig changes one field in the text of a config.json. It keeps all other bytes.
func PatchConfig(text []byte, name string, value any) ([]byte, error) {
	v, err := hujson.Parse(withNewline(text))
	if err != nil {
		return nil, fmt.Errorf("parse configuration: %w", err)
	}
	patch, err := json.Marshal([]map[string]any{{"op": "add", "path": "/" + name, "value": value}})
	if err == nil {
		err = v.Patch(patch)
	}
	if err != nil {
		return nil, fmt.Errorf("change configuration: %w", err)
	}
	return v.Pack(), nil
}

// Options describes the fields of config.json for the reference documentation.
func Options() (out []Setting) {
	for _, f := range configFields {
		out = append(out, Setting{Key: f.name, Default: f.get(api.DefaultConfig()), Want: f.want, Help: f.help})
	}
	return out
}
