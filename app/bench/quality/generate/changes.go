package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"searchmcp/app/bench/quality"
)

// Change requests: entries of public changelogs as questions, the source files that differ between that release and
// the one before as answers.
//
// A project's latest pinned release is fetched, its changelog read, and as many releases before it fetched as the
// project's row says. A release gives questions only where it is plain which files an entry is about: one source file
// changed, or one entry stands for two or three files; no source file is new. Tests, examples, documentation and files
// in which nothing but the version differs don't count as changed.

// source is a project whose changelog is read.
type source struct {
	name, language string
	client         quality.Client
	pkg, latest    string
	changelog      string // its path in the package
	keep           string // see quality.Project
	releases       int    // how many before the latest are compared at most
}

func (s source) release(version string) quality.Project {
	if s.client == quality.GoMod {
		version = "v" + version
	}
	return quality.Project{Name: s.name, Client: s.client, Package: s.pkg, Version: version, Keep: s.keep}
}

// question is a release's entry and the files that it is about.
type question struct {
	text  string
	files []string
	older int // index of the release that it is asked of
	newer int
}

// write makes a project's questions.
func (s source) write(ctx context.Context, cache, out string) error {
	sections, err := s.sections(ctx, cache)
	if err != nil {
		return err
	}
	sections = sections[:min(len(sections), s.releases+1)]
	slices.Reverse(sections) // oldest first
	trees := make([]map[string]string, len(sections))
	sums := make([]string, len(sections))
	var found []question
	last := -1 // the release before, where it can be had
	for i, sec := range sections {
		dir, sum, err := quality.Pin(ctx, cache, s.release(sec.version))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "generate: %v\n", err)
			last = -1 // what changed since an older one is told by two sections
			continue
		}
		if trees[i], err = readTree(dir); err != nil {
			return err
		}
		sums[i] = sum
		if last >= 0 {
			for _, text := range sec.entries {
				files := changed(trees[last], trees[i], sections[last].version, sec.version)
				if len(files) == 1 && sec.all <= maxEntries || sec.all == 1 && 2 <= len(files) && len(files) <= 3 {
					found = append(found, question{text: text, files: files, older: last, newer: i})
				}
			}
		}
		last = i
	}
	return s.save(ctx, out, sections, sums, trees, found)
}

// maxEntries is how many entries a release of one changed file may have: of many, most are about something else.
const maxEntries = 4

// reach is how many releases an answer may be younger than the one it is asked of: few are indexed that way, and a
// request is still to the code as it is.
const reach = 12

// save writes questions, grouped by the release that they are asked of.
func (s source) save(ctx context.Context, out string, sections []section, sums []string, trees []map[string]string,
	found []question) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# entries of %s of %s, made by app/bench/quality/generate\n", s.changelog, s.pkg)
	fmt.Fprintf(&b, "project | %s | %s | %s | %s | %s\n", s.name, s.language, s.client, s.pkg, cmp.Or(s.keep, "all"))
	base, total := -1, 0
	seen := map[string]bool{}
	for _, q := range found {
		if seen[q.text] {
			continue
		}
		seen[q.text] = true
		fresh := base < 0 || q.older-base > reach
		for _, f := range q.files {
			if _, ok := trees[max(base, 0)][f]; !ok {
				fresh = true
			}
		}
		if fresh {
			base = q.older
			fmt.Fprintf(&b, "base | %s | %s\n", s.release(sections[base].version).Version, sums[base])
		}
		var answers []string
		for _, f := range q.files {
			hunks, err := differences(ctx, trees[q.older][f], trees[q.newer][f])
			if err != nil {
				return err
			}
			hunks = slices.DeleteFunc(hunks, func(h hunk) bool { // the release's own number
				return slices.ContainsFunc(h.touched,
					func(i int) bool { return i < len(h.lines) && strings.Contains(h.lines[i], sections[q.older].version) })
			})
			answers = append(answers, withLines(f, touchedBy(hunks, trees[base][f])))
		}
		fmt.Fprintf(&b, "change | %s | %s\n", q.text, strings.Join(answers, " ; "))
		total++
	}
	fmt.Fprintf(os.Stderr, "generate: %s: %d of %d releases, %d questions\n", s.name, len(sums), len(sections), total)
	if total == 0 {
		return nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, s.name+".txt"), []byte(b.String()), 0o644)
}

// sections reads the changelog of the latest release.
func (s source) sections(ctx context.Context, cache string) ([]section, error) {
	p := s.release(s.latest)
	p.Keep = ""
	p.Name += "-changelog"
	if p.Client == quality.Wheel {
		p.Client = quality.Pip
	}
	dir, _, err := quality.Pin(ctx, cache, p)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(s.changelog)))
	if err != nil {
		return nil, fmt.Errorf("changelog: %w", err)
	}
	return parse(string(raw)), nil
}

// sourceExtensions are files that a change request is about.
var sourceExtensions = strings.Fields(
	".go .py .rs .js .mjs .cjs .ts .tsx .jsx .java .kt .swift .m .mm .h .hh .hpp .c .cc .cpp .scala .rb .php .lua .ex .cs")

// elsewhere matches paths that no request is about.
var elsewhere = regexp.MustCompile(
	`(?i)(^|/)(tests?|testing|specs?|__tests__|testdata|fixtures?|examples?|_?examples|bench(es|marks?)?|docs?|` +
		`vendor|third_party|dist|build|node_modules|umd|amd|cjs|esm|scripts|tools|fuzz)/|_test\.\w+$|[._-](test|spec|min)\.\w+$|` +
		`(^|/)(tests?|conftest|setup|version|_version|__version__|__about__|gulpfile|rollup\.config|package)\.\w+$`)

// readTree returns the source files below a folder.
func readTree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if !slices.Contains(sourceExtensions, path.Ext(rel)) || elsewhere.MatchString(rel) {
			return nil
		}
		raw, err := os.ReadFile(name)
		files[rel] = string(raw)
		return err
	})
	return files, err
}

// changed lists the files that differ; nil where a file is new, for the entry may be about that one.
func changed(older, newer map[string]string, was, is string) []string {
	var out []string
	for name, text := range newer {
		before, ok := older[name]
		if !ok {
			return nil
		}
		if strip(before, was) != strip(text, is) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// strip removes what a release changes without a reason: its version and white space.
func strip(text, version string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, version, "")), " ")
}

// section is one release's part of a changelog.
type section struct {
	version string
	entries []string // that make a question
	all     int      // entries, whatever they are about
}

var (
	// heading matches a release's heading: "## [1.2.3] - 2024-01-01", "1.2.3 / 2024-01-01", "Version 1.2.3", "v1.2.3".
	heading = regexp.MustCompile(
		`^(?:#{1,4}\s*)?(?:\*\*)?(?:Version |Release |v\.?)?\[?(?:\w[\w-]*[ @])?v?(\d+\.\d+(?:\.\d+)?)\]?(?:\*\*)?(?:$|[\s:(/—–-].*$|\(.*$)`)
	bullet = regexp.MustCompile(`^(\s*)[-*+•]\s+(.*)$`)
)

// parse reads a changelog's sections, in its order, newest first.
func parse(text string) []section {
	var out []section
	indent := -1
	open := false
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i, line := range lines {
		if m := heading.FindStringSubmatch(line); m != nil && (strings.HasPrefix(line, "#") ||
			i+1 < len(lines) && ruled(lines[i+1]) ||
			strings.HasPrefix(line, "v") && len(strings.Fields(line)) < 6) {
			out = append(out, section{version: m[1]})
			indent, open = -1, false
			continue
		}
		if len(out) == 0 {
			continue
		}
		cur := &out[len(out)-1]
		if m := bullet.FindStringSubmatch(line); m != nil && !ruled(line) {
			if indent < 0 {
				indent = len(m[1])
			}
			if open = len(m[1]) <= indent; open {
				cur.entries = append(cur.entries, m[2])
			}
			continue
		}
		if open && strings.TrimSpace(line) != "" && (line[0] == ' ' || line[0] == '\t') {
			cur.entries[len(cur.entries)-1] += " " + strings.TrimSpace(line)
			continue
		}
		open = false
	}
	for i := range out {
		var kept []string
		out[i].all = len(out[i].entries)
		for _, e := range out[i].entries {
			if e = clean(e); e != "" {
				kept = append(kept, e)
			}
		}
		out[i].entries = kept
	}
	return slices.DeleteFunc(out, func(s section) bool { return s.version == "" })
}

func ruled(line string) bool {
	t := strings.TrimSpace(line)
	return len(t) > 2 && strings.Trim(t, "=-~^*") == ""
}

var (
	link      = regexp.MustCompile(`\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])`)
	rstLink   = regexp.MustCompile("`([^`<]*)<[^>]*>`_+")
	rstRole   = regexp.MustCompile(":(?:issue|pr|pull|gh|user|ghsa|cve|jira|bug|ref|release|support|feature):`[^`]*`")
	rstName   = regexp.MustCompile(":[a-z:]+:`~?([^`]*)`")
	reference = regexp.MustCompile(
		`\(?(?:(?:closes|close|fixes|fix|fixed in|see|via|by|thanks to|thanks|thx|from|in|issue|pr|pull request|ref|refs|contributed by|reported by|patch by|gh-|·|-|–|—|,|and)[ :]*)*` +
			`(?:#\d+|GH-\d+|@[\w-]+|https?://\S+|\b[0-9a-f]{7,40}\b)[,;.)\]]*`)
	commit = regexp.MustCompile("^\\[`*\\]\\s*-\\s*")
	author = regexp.MustCompile(`\s*\([^()]*<<?[^()]*\)$`)
	thanks = regexp.MustCompile(`^.*\bThanks\b[^!]*!\s*[-:]?\s*`)
	scope  = regexp.MustCompile(`^\*\*([^*]+?):?\*\*:?\s*`)
	empty  = regexp.MustCompile(`\(\s*[,;.\s]*\)|\[\s*[,;\s]*\]`)
	opened = regexp.MustCompile(`\s*\((\[|Pull|PR|issue)?\s*$`)
	spaces = regexp.MustCompile(`\s+`)
	// aside matches entries about anything but the code that is shipped.
	aside = regexp.MustCompile(
		`(?i)<img|alt=|incompatib|compatibility issues|breaking changes|^(bump|docs?:|npm:|package:|tests?:|this is|pending|types?:|remove (some )?unused|clean ?up|upgrade|updated? (to|dep|the dep|dev|lock|rust|msrv|min)|deps?\b|docs?\b|document|ci\b|chore|tests?\b|builds?\b|release|readme|refactor|` +
			`internal|drop support|drop python|support python|no changes|republish|publish|re-release|remove support|add (\w+ )?tests?|improve doc|update doc|fix doc|typo)|` +
			`\b(readme|documentation|changelog|typos?|docstrings?|docs|msrv|type ?script|typings?|type hints?|type annotations?|annotations|dependenc\w+|depedenc\w+|ci|wheels?|devdependencies|rustdoc|clippy|lints?|` +
			`benchmarks?|unit tests?|test suite|tests?:|testing|fuzz|integration tests|jest|travis\w*|dependabot\S*|codeql|saucelab\S*|grunt\S*|jsdoc|grammar mistake|bench|windows environment|build under|github actions|setup\.py|pyproject|package\.json|cargo\.toml|go\.mod|license|python 3\.\d+|minimum supported|user-facing changes)\b`)
)

// limits of an entry, in characters and words: a request that a person could have made.
const minEntry, maxEntry, minWords = 20, 160, 4

// clean makes a question of an entry; "" if it is none.
func clean(e string) string {
	e = rstRole.ReplaceAllString(e, "")
	e = rstName.ReplaceAllString(e, "`$1`")
	e = rstLink.ReplaceAllString(e, "$1")
	e = link.ReplaceAllString(e, "$1")
	e = strings.ReplaceAll(e, "``", "`")
	e = author.ReplaceAllString(strings.TrimSpace(e), "")
	e = commit.ReplaceAllString(e, "")
	e = thanks.ReplaceAllString(e, "")
	e = scope.ReplaceAllString(e, "$1: ")
	e = reference.ReplaceAllString(e, "")
	e = empty.ReplaceAllString(e, "")
	e = strings.ReplaceAll(e, "|", "/")
	e = strings.TrimSpace(spaces.ReplaceAllString(e, " "))
	if i := strings.Index(e, ". "); i >= minEntry {
		e = e[:i] // its first sentence
	}
	e = opened.ReplaceAllString(strings.TrimRight(e, " ."), "")
	e = strings.Trim(e, " .,;:-–—*")
	if len(e) < minEntry || len(e) > maxEntry || len(strings.Fields(e)) < minWords || aside.MatchString(e) {
		return ""
	}
	return e
}
