package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// indexFile returns the path of a file in the index of the only project.
func (w *world) indexFile(name string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", filepath.FromSlash(name)))
	if err != nil || len(found) != 1 {
		w.t.Fatal(name, found, err)
	}
	return found[0]
}

// TestHelpOfConfiguration checks the help texts of a new project's config.json (RFC 7.1).
func TestHelpOfConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustCLI("index", w.folder(map[string]string{"go.mod": "module p\n"}), "--yes")
	own := w.indexFile("config.json")
	var got struct {
		Comment  string            `json:"_comment"`
		Excluded []string          `json:"_hardcodedExcludes"`
		Help     map[string]string `json:"_availableOptions"`
	}
	want := got
	check(t, json.Unmarshal(must(os.ReadFile(own)), &got))
	want.Comment = "Search MCP Configuration - Edit to customize indexing behavior"
	want.Excluded = []string{
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
	want.Help = map[string]string{
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
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestUnreadableConfiguration checks that an unreadable configuration never includes more files: the last valid one
// applies, and without it the project is neither indexed nor searched.
func TestUnreadableConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.data, "config.json"), `{"exclude": ["private/**"]}`)
	root := w.folder(map[string]string{"main.go": "package main\n\nfunc DigWombat() {}\n",
		"private/key.go": "package private\n\nfunc DigQuokka() {}\n"})
	w.mustCLI("index", root, "--yes")
	own := w.indexFile("config.json")
	valid := filepath.Join(filepath.Dir(own), "config.valid.json")
	finds := func(name string) bool {
		return strings.Contains(w.mustCLI("search", "--project", root, "--json", name), name+".go") ||
			strings.Contains(w.mustCLI("search", "--project", root, "--json", name), "Dig"+name)
	}
	w.configure(`{"exclude": ["other/**", "private/**"]}`)
	w.await("the configuration to be copied", func() bool {
		text, err := os.ReadFile(valid)
		return err == nil && strings.Contains(string(text), "other/**")
	})
	w.stop()
	w.write(own, `{"exclude": [`)
	var status struct {
		Warnings []string
		Problem  struct{ UserMessage string }
	}
	w.connect(root).call("get_index_status", nil, &status)
	if !strings.Contains(strings.Join(status.Warnings, "\n"), "the last valid configuration stays in use") {
		t.Errorf("with the last valid configuration: %q", status.Warnings)
	}
	if p := w.project(root); p.Files != 1 || p.State != "ready" || finds("Quokka") || !finds("Wombat") {
		t.Errorf("with the last valid configuration: %+v", p)
	}
	w.stop()
	check(t, os.Remove(valid))
	w.write(filepath.Join(w.data, "config.json"), `{}`)
	w.connect(root).call("get_index_status", nil, &status)
	if !strings.HasPrefix(status.Problem.UserMessage, "This project isn't indexed or searched until its configuration is "+
		"fixed: config.json can't be read") || finds("Quokka") || finds("Wombat") {
		t.Errorf("without a valid configuration: %+v", status)
	}
	w.write(own, `{}`)
	w.await("the defaults", func() bool { return w.project(root).Files == 2 && finds("Quokka") && finds("Wombat") })
}
