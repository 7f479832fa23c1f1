package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is the text of all that is not documentation: Go, scripts, make, workflows, formats.
func source(t *testing.T) (product, tests string) {
	t.Helper()
	var p, q strings.Builder
	for _, ending := range []string{".go", ".sh", ".mk", "Makefile", ".sql", ".service", ".mjs", ".py"} {
		walk(t, ending, func(path, text string) {
			switch {
			case strings.HasPrefix(path, "docs/"): // these tests name what is missing
			case strings.HasSuffix(path, "_test.go"):
				q.WriteString(text)
			default:
				p.WriteString(text)
			}
		})
	}
	return p.String(), q.String()
}

// folders are those of the repository in which paths in the text begin.
var folders = []string{"app", "assets", "docs", "engine", "packaging", "ui"}

// atLine matches the line behind a path, as results show it.
var atLine = regexp.MustCompile(`:\d+$`)

// ofPackage matches a test behind the folder of its package, as requirements name it.
var ofPackage = regexp.MustCompile(`\.(?:Test|Fuzz)[A-Z]\w*$`)

// TestFiles: a path of this repository that a page shows as code exists; «*» and «…» stand for anything.
func TestFiles(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		lines, spans := p.code()
		for _, s := range append(lines, spans...) {
			for _, w := range words(s) {
				w = strings.TrimSuffix(strings.TrimPrefix(strings.TrimRight(w, ".,:"), "./"), "/...")
				w = atLine.ReplaceAllString(w, "")
				w, _, _ = strings.Cut(w, ":") // the line of a result
				w = ofPackage.ReplaceAllString(w, "")
				first, rest, below := strings.Cut(w, "/")
				if !below || rest == "" || !slices.Contains(folders, first) {
					continue
				}
				found++
				pattern := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(w, "…", "*")))
				if files, err := filepath.Glob(pattern); err != nil || len(files) == 0 {
					t.Errorf("%s: there is no %s", p.path, w)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d paths: are they still recognised?", found)
	}
}

var (
	testName = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
	camel    = regexp.MustCompile(`^[a-z]+(?:[A-Z]+[a-z0-9]*)+$`)
	snake    = regexp.MustCompile(`^[a-z]+(?:_[a-z0-9]+)+$`)
	capitals = regexp.MustCompile(`^[A-Z]+(?:_[A-Z0-9]+)+$`)
)

// TestTestsThatAreNamed: a test that a page cites for a claim exists.
func TestTestsThatAreNamed(t *testing.T) {
	_, tests := source(t)
	found := 0
	for _, p := range pages(t) {
		for _, name := range testName.FindAllString(p.text, -1) {
			found++
			if !strings.Contains(tests, "func "+name) {
				t.Errorf("%s: there is no %s", p.path, name)
			}
		}
	}
	if found < 40 {
		t.Errorf("%d tests: are they still recognised?", found)
	}
}

// TestOptions: a setting, a field of the configuration, a tool or a variable that a person's pages name stands in the
// reference, which is written from the code; what other pages name stands at least in the code.
func TestOptions(t *testing.T) {
	all := pages(t)
	product, tests := source(t)
	var reference strings.Builder
	for _, p := range all {
		if p.generated() {
			reference.WriteString(p.text)
		}
	}
	written := regexp.MustCompile(`\w+`)
	inReference, inSource := map[string]bool{}, map[string]bool{}
	for _, w := range written.FindAllString(reference.String(), -1) {
		inReference[w] = true
	}
	for _, w := range written.FindAllString(product+tests, -1) {
		inSource[w] = true
	}
	elsewhere := []string{ // names of the system and of other programs
		"node_modules",
	}
	forPeople := []string{"guide.md", "admin.md", filepath.Join("..", "README.md")}
	found := 0
	for _, p := range all {
		if p.generated() {
			continue
		}
		_, spans := p.code()
		for _, s := range spans {
			name, _, _ := strings.Cut(s, "=")
			isOption := camel.MatchString(name) || snake.MatchString(name)
			if !isOption && !capitals.MatchString(name) || slices.Contains(elsewhere, name) {
				continue
			}
			found++
			switch {
			case slices.Contains(forPeople, p.path) && isOption && !inReference[name]:
				t.Errorf("%s: %s is not in the reference", p.path, name)
			case !inSource[name] && !inReference[name]:
				t.Errorf("%s: %s is nowhere in the code", p.path, name)
			}
		}
	}
	if found < 60 {
		t.Errorf("%d names: are they still recognised?", found)
	}
}

// TestEnvironment: every variable that a program asks for by name is in the reference, but those of the system and of
// editors.
func TestEnvironment(t *testing.T) {
	settings := pages(t)[filepath.Join("reference", "settings.md")].text
	others := regexp.MustCompile(
		`^(HOME|USERPROFILE|TERM|DISPLAY|WAYLAND_DISPLAY|SSH_CONNECTION|XDG_[A-Z_]+|GIT_[A-Z_]+|APPDATA|CARGO_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|XAUTHORITY)$`)
	asked := regexp.MustCompile(`(?:Getenv|LookupEnv|firstOf)\("([A-Z_]+)"`)
	found := 0
	walk(t, ".go", func(file, text string) {
		forTests := strings.HasSuffix(file, "_test.go") || strings.HasSuffix(path.Dir(file), "test") // clienttest, repotest
		if forTests || !strings.HasPrefix(file, "app/") && !strings.HasPrefix(file, "engine/") &&
			!strings.HasPrefix(file, "ui/") {
			return
		}
		for _, m := range asked.FindAllStringSubmatch(text, -1) {
			found++
			if !others.MatchString(m[1]) && !strings.Contains(settings, m[1]) {
				t.Errorf("%s asks for %s, which is not in the reference", file, m[1])
			}
		}
	})
	if found < 5 {
		t.Errorf("%d variables: are they still recognised?", found)
	}
}

// TestPackages: the architecture's table of folders has a row for every package below app and engine, and none for what
// is gone.
func TestPackages(t *testing.T) {
	text := pages(t)[filepath.Join("..", "ARCHITECTURE.md")].text
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]+) \\|").FindAllStringSubmatch(text, -1) {
		for _, s := range span.FindAllStringSubmatch(m[1], -1) {
			folder := strings.TrimSuffix(s[1], "/…")
			rows[folder] = true
			if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
				t.Errorf("the architecture has a row for %s, which is no folder", folder)
			}
		}
	}
	packages := map[string]bool{}
	walk(t, ".go", func(file, _ string) { packages[path.Dir(file)] = true })
	for p := range packages {
		for top := p; !rows[top]; top = path.Dir(top) {
			if parent := path.Dir(top); parent == "." || parent == "app" || parent == "engine" {
				t.Errorf("the architecture has no row for %s", p)
				break
			}
		}
	}
	if len(rows) < 20 || len(packages) < 30 {
		t.Errorf("%d rows, %d packages", len(rows), len(packages))
	}
}
