package files

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

const rfcConfig = `{
  "_comment": "Search MCP Configuration - Edit to customize indexing behavior",

  "include": ["**/*"],
  "exclude": [],

  "respectGitignore": true,
  "maxFileSize": "1MB",
  "maxFiles": 50000,

  "docPatterns": ["**/*.md", "**/*.txt"],
  "indexDocs": true,

  "enhancedToolDescriptions": false,

  "indexingStrategy": "realtime",
  "lazyIdleThreshold": 30,
  "integrityInterval": 24,
`

func TestRenderConfigIsTheRFCs(t *testing.T) {
	got := string(RenderConfig(api.DefaultConfig(), api.DefaultConfig()))
	if !strings.HasPrefix(got, rfcConfig) {
		t.Fatal(cmp.Diff(rfcConfig, got))
	}
	type help struct {
		Excluded []string          `json:"_hardcodedExcludes"`
		Options  map[string]string `json:"_availableOptions"`
	}
	want := help{[]string{
		"// These patterns are ALWAYS excluded and cannot be overridden:",
		"// - node_modules/, jspm_packages/, bower_components/  (dependencies)",
		"// - .git/, .hg/, .svn/  (version control)",
		"// - dist/, build/, out/, target/  (build artifacts)",
		"// - .env, .env.*, *.pem, *.key  (secrets)",
		"// - *.log, *.lock, package-lock.json, yarn.lock  (logs/locks)",
		"// - .idea/, .vscode/, .DS_Store  (IDE config)",
		"// - coverage/  (test coverage)",
		"// - Binary files (images, videos, etc.) are auto-detected and skipped",
	}, map[string]string{
		"include":                  "Glob patterns for files to index. Default: all files.",
		"exclude":                  "Glob patterns to skip (in addition to hardcoded excludes).",
		"respectGitignore":         "If true, also excludes files matching .gitignore.",
		"maxFileSize":              "Skip files larger than this. Supports: '500KB', '1MB', '2MB'.",
		"maxFiles":                 "Warn if project exceeds this many files.",
		"docPatterns":              "Glob patterns for documentation files. Default: ['**/*.md', '**/*.txt'].",
		"indexDocs":                "If true, index documentation files with prose-optimized chunking. Default: true.",
		"enhancedToolDescriptions": "If true, tool descriptions include AI hints. Default: false.",
		"indexingStrategy": "Indexing strategy: 'realtime' (immediate), 'lazy' (on idle/search), 'git' (on commit). " +
			"Default: 'realtime'.",
		"lazyIdleThreshold": "Seconds of inactivity before lazy indexing triggers. Default: 30.",
		"integrityInterval": "Hours between two comparisons of all files with the index. Default: 24.", // our addition
	}}
	var shown help
	must(t, json.Unmarshal([]byte(got), &shown))
	wantEqual(t, shown, want, "shown")
	// A newly written file has no values of its own. Changed values count, and so do all values of a file without
	// defaults, or of an earlier version with values in comments.
	global := api.DefaultConfig()
	global.MaxFiles, global.Exclude = 7, []string{"private/**"}
	changed, plain := global, api.DefaultConfig()
	changed.MaxFiles, changed.Exclude = 9, []string{"tmp/**"}
	for text, want := range map[string]api.Config{
		got: global,
		strings.Replace(strings.Replace(got, "50000", "9", 1), `"exclude": []`, `"exclude": ["tmp/**"]`, 1): changed,
		strings.Replace(got, `"_defaults"`, `"_other"`, 1):                                                  plain,
		strings.ReplaceAll(rfcConfig, "\n  \"", "\n  // \"") + "}":                                          global,
	} {
		c, problems, err := ParseConfig([]byte(text), global, nil)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		wantEqual(t, c, want, "%s: diff", text)
	}
}

func TestInvalidFieldsKeepTheRest(t *testing.T) {
	for field, bad := range map[string][]string{
		"include":          {`"**/*"`, `[1]`, `["["]`, `null`, `[""]`},
		"exclude":          {`{}`, `["a", 2]`},
		"respectGitignore": {`"yes"`, `1`, `null`},
		"maxFileSize": {`1000`, `"1 MB"`, `"1GB"`, `"0MB"`, `"-1KB"`, `"99999999999MB"`,
			`"9999999999999999999999MB"`},
		"maxFiles":                 {`0`, `-5`, `1.5`, `"many"`, `null`},
		"docPatterns":              {`"*.md"`},
		"indexDocs":                {`"true"`},
		"enhancedToolDescriptions": {`0`},
		"indexingStrategy":         {`"eager"`, `1`, `""`},
		"lazyIdleThreshold":        {`0`, `"30"`},
		"integrityInterval":        {`0`, `1.5`},
		"extraRoots": {`{}`, `[{"name": "lib", "path": "relative"}]`, `[{"name": "all", "path": "/"}]`,
			`[{"name": "ada", "path": "/home/ada"}]`, `[{"name": "a/b", "path": "/x"}]`,
			`[{"name": "lib", "path": "/x"}, {"name": "lib", "path": "/y"}]`},
	} {
		for _, value := range bad {
			text := `{"maxFiles": 7, "` + field + `": ` + value + `, "lazyIdleThreshold": 5, "` + field + `": ` + value + `}`
			last := api.DefaultConfig()
			c, problems, err := ParseConfig([]byte(text), api.DefaultConfig(), &last)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			want := field + " must be "
			if strings.Contains(value, `"["`) {
				want = field + " has the invalid pattern '['; "
			}
			if len(problems) != 1 || !strings.HasPrefix(problems[0], want) {
				t.Errorf("%s: problems %q", text, problems)
			}
			rest := api.DefaultConfig()
			if field != "maxFiles" {
				rest.MaxFiles = 7
			}
			if field != "lazyIdleThreshold" {
				rest.LazyIdleThreshold = 5
			}
			wantEqual(t, c, rest, "%s: diff", text)
		}
	}
}

func TestLoadConfigThatIsNoConfig(t *testing.T) {
	last := api.DefaultConfig()
	last.MaxFiles = 3
	dir := t.TempDir()
	path := filepath.Join(dir, ConfigName)
	for _, text := range []string{"", "{", "[]", "null", "\x00\xff", `{"a": }`, strings.Repeat("[", 100000)} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		c, problems, err := LoadConfig(dir, api.DefaultConfig(), &last)
		if err != nil || c.MaxFiles != 3 || len(problems) != 1 || // problems are sentences
			!strings.HasSuffix(problems[0], "); the last valid configuration stays in use.") {
			t.Errorf("%.20q: %v, %q, %+v", text, err, problems, c)
		}
		if _, _, err := LoadConfig(dir, api.DefaultConfig(), nil); err == nil {
			t.Errorf("%.20q: no error, although no valid configuration is known", text)
		}
	}
	must(t, os.Remove(path))
	for problem, last := range map[string]api.Config{"": api.DefaultConfig(), "config.json is missing": last} {
		c, problems, err := LoadConfig(dir, api.DefaultConfig(), &last)
		if err != nil || c.MaxFiles != last.MaxFiles || !strings.HasPrefix(strings.Join(problems, " "), problem) ||
			problem == "" && len(problems) > 0 {
			t.Errorf("missing: %v, %q, %+v", err, problems, c)
		}
	}
}

func TestPatchConfigKeepsEverythingElse(t *testing.T) {
	text := "{\n  // mine\n  \"include\": [\"src/**\"], // why\n  \"custom\": {\"a\": 1},\n  \"maxFiles\": 10,\n}\n"
	got, err := PatchConfig([]byte(text), "maxFiles", 20)
	must(t, err)
	if want := strings.Replace(text, "10", "20", 1); string(got) != want {
		t.Fatal(cmp.Diff(want, string(got)))
	}
}

func TestCreateConfigKeepsExistingFile(t *testing.T) {
	dir := t.TempDir()
	must(t, CreateConfig(dir, api.DefaultConfig()))
	path := filepath.Join(dir, ConfigName)
	must(t, os.WriteFile(path, []byte(`{"maxFiles": 1}`), 0o600))
	must(t, CreateConfig(dir, api.DefaultConfig()))
	if c, _, err := LoadConfig(dir, api.DefaultConfig(), nil); err != nil || c.MaxFiles != 1 {
		t.Fatalf("%v, %+v", err, c)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(rfcConfig + `"x": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := ParseConfig(text, api.DefaultConfig(), nil)
		if c.MaxFiles <= 0 || c.MaxFileSize <= 0 || c.LazyIdleThreshold <= 0 || c.Include == nil || c.DocPatterns == nil {
			t.Fatalf("an invalid value came through: %+v (%v)", c, err)
		}
	})
}

func TestCommentAtTheEnd(t *testing.T) {
	c, problems, err := ParseConfig([]byte(`{"maxFiles": 3} // few`), api.DefaultConfig(), nil)
	if err != nil || len(problems) > 0 || c.MaxFiles != 3 {
		t.Errorf("%d, %q, %v", c.MaxFiles, problems, err)
	}
	if text, err := PatchConfig([]byte(`{"maxFiles": 3} // few`), "maxFiles", 4); err != nil ||
		!strings.Contains(string(text), "4") {
		t.Errorf("%s, %v", text, err)
	}
}

// Any damage of a configuration with a private folder keeps the folder private, in this run and, from the copy, in the
// next. Without a copy the configuration is invalid.
func TestConfigFailsClosed(t *testing.T) {
	const good = `{"exclude": ["private/**"], "maxFiles": 7}`
	for name, bad := range map[string]string{
		"string":     `{"exclude": "private/**", "maxFiles": 8}`,
		"bad glob":   `{"exclude": ["private/["], "maxFiles": 8}`,
		"empty glob": `{"exclude": [""], "maxFiles": 8}`,
		"null":       `{"exclude": null, "maxFiles": 8}`,
		"capital":    `{"Exclude": ["private/**"], "maxFiles": 8}`,
		"misspelt":   `{"exlude": ["private/**"], "maxFiles": 8}`,
		"truncated":  good[:20],
		"empty":      "",
		"removed":    "-",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, ConfigName)
		put := func(text string) {
			t.Helper()
			must(t, os.WriteFile(path, []byte(text), 0o600))
		}
		put(good)
		if _, problems, err := LoadConfig(dir, api.DefaultConfig(), nil); err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		keep := func() {
			t.Helper()
			must(t, KeepConfig(dir, api.DefaultConfig()))
		}
		keep()
		if bad == "-" {
			must(t, os.Remove(path))
		} else {
			put(bad)
		}
		for range 2 { // an invalid configuration is not stored as the last valid one
			keep()
			c, problems, err := LoadConfig(dir, api.DefaultConfig(), nil)
			if err != nil || !slices.Equal(c.Exclude, []string{"private/**"}) || len(problems) == 0 {
				t.Errorf("%s: %q, %q, %v", name, c.Exclude, problems, err)
			}
			if strings.Contains(bad, "8") && c.MaxFiles != 8 {
				t.Errorf("%s: the other fields were lost: %+v", name, c)
			}
		}
		must(t, os.Remove(filepath.Join(dir, ValidName)))
		if _, _, err := LoadConfig(dir, api.DefaultConfig(), nil); err == nil && bad != "-" {
			t.Errorf("%s: nothing is known, and no error", name)
		}
	}
}

func TestUnknownFieldsNameTheNearest(t *testing.T) {
	text := `{"_comment": "x", "$schema": "y", "MaxFiles": 3, "maxfilesize": "1MB", "colour": "red"}`
	_, problems, err := ParseConfig([]byte(text), api.DefaultConfig(), nil)
	want := []string{"There is no option 'MaxFiles'. Did you mean 'maxFiles'?", "There is no option 'colour'.",
		"There is no option 'maxfilesize'. Did you mean 'maxFileSize'?"}
	if diff := cmp.Diff(want, problems); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}
