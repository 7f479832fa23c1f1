package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

// The file of RFC 7.1, as printed there.
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
`

func TestRenderConfigIsTheRFCs(t *testing.T) {
	got := string(RenderConfig(api.DefaultConfig()))
	if !strings.HasPrefix(got, rfcConfig) {
		t.Fatal(cmp.Diff(rfcConfig, got))
	}
	for _, line := range []string{
		`    "// - *.log, *.lock, package-lock.json, yarn.lock  (logs/locks)",`,
		`    "maxFileSize": "Skip files larger than this. Supports: '500KB', '1MB', '2MB'.",`,
		`    "lazyIdleThreshold": "Seconds of inactivity before lazy indexing triggers. Default: 30."`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("missing: %s", line)
		}
	}
	c, problems, err := ParseConfig([]byte(got), api.Config{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if diff := cmp.Diff(api.DefaultConfig(), c); diff != "" {
		t.Fatal(diff)
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
		"extraRoots": {`{}`, `[{"name": "lib", "path": "relative"}]`, `[{"name": "a/b", "path": "/x"}]`,
			`[{"name": "lib", "path": "/x"}, {"name": "lib", "path": "/y"}]`},
	} {
		for _, value := range bad {
			text := `{"maxFiles": 7, "` + field + `": ` + value + `, "lazyIdleThreshold": 5, "` + field + `": ` + value + `}`
			c, problems, err := ParseConfig([]byte(text), api.DefaultConfig())
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if len(problems) != 1 || !strings.HasPrefix(problems[0], field+" must be ") {
				t.Errorf("%s: problems %q", text, problems)
			}
			want := api.DefaultConfig()
			if field != "maxFiles" {
				want.MaxFiles = 7
			}
			if field != "lazyIdleThreshold" {
				want.LazyIdleThreshold = 5
			}
			if diff := cmp.Diff(want, c); diff != "" {
				t.Errorf("%s: %s", text, diff)
			}
		}
	}
}

func TestLoadConfigThatIsNoConfig(t *testing.T) {
	last := api.DefaultConfig()
	last.MaxFiles = 3 // the last valid configuration
	dir := t.TempDir()
	path := filepath.Join(dir, ConfigName)
	if c, _, err := LoadConfig(path, last); !errors.Is(err, fs.ErrNotExist) || c.MaxFiles != 3 {
		t.Fatalf("missing file: %v, %+v", err, c)
	}
	for _, text := range []string{"", "{", "[]", "null", "\x00\xff", `{"a": }`, strings.Repeat("[", 100000)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, _, err := LoadConfig(path, last); err == nil || c.MaxFiles != 3 {
			t.Errorf("%.20q: %v, %+v", text, err, c)
		}
	}
}

func TestPatchConfigKeepsEverythingElse(t *testing.T) {
	text := "{\n  // mine\n  \"include\": [\"src/**\"], // why\n  \"custom\": {\"a\": 1},\n  \"maxFiles\": 10,\n}\n"
	got, err := PatchConfig([]byte(text), map[string]any{"maxFiles": 20})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(text, "10", "20", 1); string(got) != want {
		t.Fatal(cmp.Diff(want, string(got)))
	}
	if _, err := PatchConfig([]byte(text), map[string]any{"nope": 1}); err == nil {
		t.Fatal("an unknown option was taken")
	}
}

func TestCreateConfigKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	if err := CreateConfig(dir, api.DefaultConfig()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ConfigName)
	if err := os.WriteFile(path, []byte(`{"maxFiles": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CreateConfig(dir, api.DefaultConfig()); err != nil {
		t.Fatal(err)
	}
	if c, _, err := LoadConfig(path, api.DefaultConfig()); err != nil || c.MaxFiles != 1 {
		t.Fatalf("%v, %+v", err, c)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(rfcConfig + `"x": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := ParseConfig(text, api.DefaultConfig())
		if c.MaxFiles <= 0 || c.MaxFileSize <= 0 || c.LazyIdleThreshold <= 0 || c.Include == nil || c.DocPatterns == nil {
			t.Fatalf("an invalid value came through: %+v (%v)", c, err)
		}
	})
}

// A comment may be the last thing in the file, with no line break behind it.
func TestCommentAtTheEnd(t *testing.T) {
	c, problems, err := ParseConfig([]byte(`{"maxFiles": 3} // few`), api.DefaultConfig())
	if err != nil || len(problems) > 0 || c.MaxFiles != 3 {
		t.Errorf("%d, %q, %v", c.MaxFiles, problems, err)
	}
	if text, err := PatchConfig([]byte(`{"maxFiles": 3} // few`), map[string]any{"maxFiles": 4}); err != nil ||
		!strings.Contains(string(text), "4") {
		t.Errorf("%s, %v", text, err)
	}
}
