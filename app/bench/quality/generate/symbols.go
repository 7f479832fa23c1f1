package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"searchmcp/app/bench/quality"
)

// definitions match the line that defines a type, by language; the group is its name. They are this command's own: the
// product's parsers are what is measured.
var definitions = map[string]*regexp.Regexp{
	"go":     regexp.MustCompile(`(?m)^type ([A-Z]\w*)(?:\[[^\]]*\])? (?:struct|interface|func|map|\[\]|\w)`),
	"rust":   regexp.MustCompile(`(?m)^ *pub (?:unsafe )?(?:struct|enum|trait|union) (\w+)`),
	"python": regexp.MustCompile(`(?m)^class ([A-Z]\w*)[(:]`),
	"java": regexp.MustCompile(
		`(?m)^(?:public |final |abstract |static |sealed )*(?:class|interface|enum|@interface|record) (\w+)`),
	"kotlin": regexp.MustCompile(
		`(?m)^(?:public |internal |open |abstract |sealed |data |value |annotation |enum |fun )*(?:class|interface|object) (\w+)`),
	"typescript": regexp.MustCompile(
		`(?m)^export (?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|enum) (\w+)`),
	"swift": regexp.MustCompile(
		`(?m)^(?:@objc(?:\(\w+\))? )?(?:public |open |internal |final |private )*(?:class|protocol|struct|enum|actor) ([A-Z]\w*)`),
	"scala": regexp.MustCompile(`(?m)^ *(?:sealed |abstract |final |case |implicit )*(?:class|trait) ([A-Z]\w*)`),
	"cpp": regexp.MustCompile(
		`(?m)^ *(?:template *<[^>]*> *)?(?:class|struct) (?:[A-Z]+_[A-Z]+ )?([A-Z]\w*)(?: final)?(?: *: *(?:public|private)[^;\n]*)?\s*\{`),
	"c": regexp.MustCompile(`(?m)^typedef struct (\w+) *\{|^struct (\w+) *\{`),
	"csharp": regexp.MustCompile(
		`(?m)^ *(?:public |internal |sealed |abstract |static |partial |readonly )+(?:class|interface|struct|enum) (\w+)`),
	"php": regexp.MustCompile(`(?m)^(?:abstract |final )*(?:class|interface|trait) (\w+)`),
}

// perProject is how many names a project gives at most.
const perProject = 5

// minFiles is how many files must have a name: one that few use is found by any search.
const minFiles = 3

// writeSymbols asks for names of types that one file defines and others use: those that most files have, and as many
// drawn by hash.
func writeSymbols(ctx context.Context, cache, out, only string) error {
	projects, err := quality.Projects()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# names of types, made by app/bench/quality/generate and read one by one\n")
	seen := map[string]bool{}
	for _, p := range projects {
		define := definitions[p.Language]
		if define == nil || only != "" && !slices.Contains(strings.Fields(only), p.Family()) || seen[p.Family()] {
			continue
		}
		seen[p.Family()] = true
		dir, err := quality.Fetch(ctx, cache, p)
		if err != nil {
			return err
		}
		files, err := readTree(dir)
		if err != nil {
			return err
		}
		found := slices.DeleteFunc(symbols(files, define), func(d definition) bool {
			return slices.ContainsFunc(p.Questions, func(q quality.Question) bool {
				return q.Kind != "bare" && q.Text == d.name
			})
		})
		if len(found) == 0 {
			continue
		}
		fmt.Fprintf(&b, "project | %s\n", p.Name)
		for _, s := range found {
			fmt.Fprintf(&b, "bare | %s | %s#%s\n", s.name, s.file, s.line)
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "types.txt"), []byte(b.String()), 0o644)
}

type definition struct {
	name, file, line string
	users            int
}

var word = regexp.MustCompile(`\w+`)

func symbols(files map[string]string, define *regexp.Regexp) []definition {
	at := map[string][]definition{}
	users := map[string]int{}
	for name, text := range files {
		for _, m := range define.FindAllStringSubmatchIndex(text, -1) {
			g := 2
			if m[2] < 0 {
				g = 4
			}
			line, _, _ := strings.Cut(strings.TrimSpace(text[m[0]:]), "\n")
			id := text[m[g]:m[g+1]]
			at[id] = append(at[id], definition{name: id, file: name, line: anchor(line)})
		}
		once := map[string]bool{}
		for _, w := range word.FindAllString(text, -1) {
			if !once[w] {
				once[w] = true
				users[w]++
			}
		}
	}
	var all []definition
	for id, ds := range at {
		if len(ds) == 1 && users[id] >= minFiles && len(id) > 3 {
			ds[0].users = users[id]
			all = append(all, ds[0])
		}
	}
	slices.SortFunc(all, func(a, b definition) int {
		if a.users != b.users {
			return b.users - a.users
		}
		return strings.Compare(a.name, b.name)
	})
	most := min(len(all), (perProject+1)/2)
	rest := slices.Clone(all[most:])
	slices.SortFunc(rest, func(a, b definition) int { return strings.Compare(draw(a), draw(b)) })
	return append(all[:most:most], rest[:min(len(rest), perProject-most)]...)
}

// draw orders names by chance, the same in every run.
func draw(d definition) string {
	sum := sha256.Sum256([]byte(path.Base(d.file) + d.name))
	return string(sum[:])
}

// maxAnchor is how much of a defining line is kept.
const maxAnchor = 60

func anchor(line string) string {
	line = strings.TrimRight(line, " {\r")
	if len(line) > maxAnchor {
		line = line[:maxAnchor]
	}
	return strings.TrimSpace(line)
}
