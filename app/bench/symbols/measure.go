package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/app/bench/quality/token"
	"searchmcp/app/endpoint/tools"
	"searchmcp/engine"
	"searchmcp/engine/api"
	"searchmcp/packaging/command"
)

// place is a line of a file. Lines are counted from 1.
type place struct {
	Path string
	Line int
}

// definition is a definition that a server lists.
type definition struct {
	Name, Container string
	place
	At   position
	Kind int // LSP's SymbolKind
}

// tally compares answers with the truth, which is the server's answers.
type tally struct {
	recalls, precisions []float64 // of each symbol
	truth, recalled     int       // places in the truth, and those found
	found, right        int       // places found with certainty, and those in the truth
	times               []time.Duration
	tokens              []int
}

// add adds an answer whose places are all certain.
func (t *tally) add(truth, found map[place]bool) { t.addGroups(truth, found, found) }

// addGroups adds an answer. Recall is measured over all places, and precision over the certain places.
func (t *tally) addGroups(truth, all, certain map[place]bool) {
	right := func(found map[place]bool) (n int) {
		for p := range found {
			if truth[p] {
				n++
			}
		}
		return n
	}
	t.truth, t.recalled = t.truth+len(truth), t.recalled+right(all)
	t.found, t.right = t.found+len(certain), t.right+right(certain)
	if len(truth) > 0 {
		t.recalls = append(t.recalls, float64(right(all))/float64(len(truth)))
	}
	if len(certain) > 0 {
		t.precisions = append(t.precisions, float64(right(certain))/float64(len(certain)))
	}
}

func (t *tally) join(o *tally) {
	t.recalls, t.precisions = append(t.recalls, o.recalls...), append(t.precisions, o.precisions...)
	t.truth, t.found, t.right = t.truth+o.truth, t.found+o.found, t.right+o.right
	t.recalled += o.recalled
	t.times, t.tokens = append(t.times, o.times...), append(t.tokens, o.tokens...)
}

func share(a, b int) float64 { return float64(a) / float64(max(1, b)) }

type figures struct {
	project, language, server                   string
	symbols                                     int
	definitions, uses, grep, search, serverTime tally
	answered                                    tally // uses found within the deadline
	strict                                      tally // uses compared with all places of the server
}

func (f *figures) join(o *figures) {
	f.symbols += o.symbols
	f.definitions.join(&o.definitions)
	f.uses.join(&o.uses)
	f.answered.join(&o.answered)
	f.strict.join(&o.strict)
	f.grep.join(&o.grep)
	f.search.join(&o.search)
	f.serverTime.join(&o.serverTime)
}

// measure compares find_symbol with a server in one project.
func (o *options) measure(ctx context.Context, eng *engine.Engine, p quality.Project, work string) (*figures, error) {
	k := kinds[p.Language]
	source, err := quality.Fetch(ctx, p)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(work, p.Name)
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil { // marks the root of the project
			return nil, err
		}
	}
	if err := index(ctx, eng, dir); err != nil {
		return nil, err
	}
	files, err := o.files(ctx, eng, dir, k)
	if err != nil {
		return nil, err
	}
	truth, err := o.truth(ctx, p, k, source, work, files)
	if err != nil {
		return nil, err
	}
	out := &figures{project: p.Name, language: p.Language, server: k.name}
	text := &sources{dir: dir, inactive: truth.Inactive, lines: map[string][]string{}}
	for _, t := range truth.Drawn {
		d := truth.All[t.Index]
		if d.Name == "default" && d.Container == "" {
			continue // an export without a name
		}
		if err := o.compare(ctx, eng, t, text, files, truth, d, out); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return out, nil
}

func index(ctx context.Context, eng *engine.Engine, dir string) error {
	job, err := eng.Create(ctx, dir, api.Approval{})
	if err != nil {
		return err
	}
	<-job.Done()
	_, err = job.Result()
	return err
}

type answers struct {
	All      []definition      // all definitions
	Drawn    []answer          // uses of the drawn definitions
	Inactive map[string][]span // lines that the server ignores, from 0, by path
}

type answer struct {
	Index  int     // index of the definition in answers.All
	Places []place // uses
	Took   time.Duration
}

// truth returns the answers of a project's server. It reads them from the folder -answers if they are cached.
func (o *options) truth(ctx context.Context, p quality.Project, k *kind, source, work string,
	files []string) (*answers, error) {
	kept := ""
	if o.answers != "" {
		kept = filepath.Join(o.answers, fmt.Sprintf("%s-%d.json", p.Name, o.each))
		if raw, err := os.ReadFile(kept); err == nil {
			out := &answers{}
			return out, json.Unmarshal(raw, out)
		}
	}
	out, err := o.ask(ctx, p, k, source, work, files)
	if err != nil || kept == "" {
		return out, err
	}
	raw, err := json.Marshal(out)
	return out, errors.Join(err, command.Write(kept, raw))
}

func (o *options) ask(ctx context.Context, p quality.Project, k *kind, source, work string,
	files []string) (*answers, error) {
	served := filepath.Join(work, p.Name+"-served")
	if err := os.CopyFS(served, os.DirFS(source)); err != nil {
		return nil, err
	}
	if err := k.prepare(ctx, served); err != nil {
		return nil, err
	}
	s, err := start(ctx, served, k.options, k.argv(o.servers)...)
	if err != nil {
		return nil, err
	}
	defer s.close()
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(served, f))
		if err != nil {
			return nil, err
		}
		if !k.openFolder && k != clangd && f != files[0] {
			continue
		}
		open := map[string]any{"uri": s.uri(f), "languageId": k.id[filepath.Ext(f)], "version": 1, "text": string(text)}
		if err := s.notify("textDocument/didOpen", map[string]any{"textDocument": open}); err != nil {
			return nil, err
		}
	}
	s.settle(ctx, k.least)
	out := &answers{}
	if out.All, err = list(ctx, s, files); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, uint64(len(p.Name))))
	for _, i := range r.Perm(len(out.All))[:min(len(out.All), o.each)] {
		began := time.Now()
		places, err := s.references(ctx, out.All[i].Path, out.All[i].At, k == tsserver)
		if err != nil {
			continue // the file is not built for this system
		}
		out.Drawn = append(out.Drawn, answer{i, places, time.Since(began)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Inactive = s.inactive
	return out, nil
}

func (o *options) files(ctx context.Context, eng *engine.Engine, root string, k *kind) ([]string, error) {
	found, err := eng.Files(ctx, []string{root}, api.FileQuery{Pattern: "**", Limit: api.MaxGlob})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found.Matches, func(p string) bool {
		return k.id[filepath.Ext(p)] == "" || strings.HasSuffix(p, ".min.js") || strings.HasPrefix(p, "_") ||
			strings.Contains(p, "/_") && k == gopls
	}), nil
}

// forward matches a forward declaration of a type.
var forward = regexp.MustCompile(`^\s*(?:class|struct|union|enum)\s+\w+;`)

// forwards reports whether a line of JavaScript only imports a name or passes it on: const a = require("a"), { a } or
// ...a.
func forwards(line string, d definition) bool {
	if kinds["javascript"].id[filepath.Ext(d.Path)] == "" {
		return false
	}
	line = strings.TrimSpace(line)
	return strings.Contains(line, "require(") || strings.TrimRight(line, ",") == d.Name ||
		strings.Contains(line, "..."+d.Name) ||
		d.Kind == lspProperty && regexp.MustCompile(`(?:^|[{,])\s*`+regexp.QuoteMeta(d.Name)+
			`\s*(?:[,}]|$)`).MatchString(line)
}

// list returns the definitions that a server lists in files. It excludes names inside functions, forward
// declarations, lines that pass a name on, and definitions made by macros, whose lines don't contain the name.
func list(ctx context.Context, s *server, files []string) ([]definition, error) {
	var out []definition
	for _, f := range files {
		symbols, err := s.symbols(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("symbols of %s: %w", f, err)
		}
		text, err := os.ReadFile(filepath.Join(s.root, f))
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(text), "\n")
		var all []definition
		flatten(f, "", symbols, lines, &all)
		for _, d := range all {
			if l := lines[min(d.Line-1, len(lines)-1)]; strings.Contains(l, d.Name) &&
				!forward.MatchString(l) && !forwards(l, d) {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// Values of LSP's SymbolKind.
const (
	lspNamespace, lspClass, lspMethod, lspProperty, lspConstructor, lspFunction = 3, 5, 6, 7, 9, 12
	lspString, lspObject, lspKey, lspTypeParameter                              = 15, 19, 20, 26
)

// flatten appends the definitions in a tree of symbols to out. It skips names inside functions.
func flatten(path, container string, symbols []documentSymbol, lines []string, out *[]definition) {
	for _, d := range symbols {
		name, in := d.Name, container
		if d.Kind == lspObject { // rust-analyzer: impl<T> Trait for Type<T>
			flatten(path, implemented(name), d.Children, lines, out)
			continue
		}
		if rest, ok := strings.CutPrefix(name, "("); ok { // gopls: (*Type).Method
			if t, m, ok := strings.Cut(rest, ")."); ok {
				name, in = m, strings.TrimPrefix(t, "*")
			}
		}
		if i := strings.LastIndex(name, "::"); i >= 0 { // clangd: Type::method
			name, in = name[i+2:], name[:i]
		}
		if i := strings.IndexByte(in, '['); i > 0 {
			in = in[:i]
		}
		if d.SelectionRange != nil && plain(name) && name != "constructor" && d.Kind != lspString && d.Kind != lspKey &&
			d.Kind != lspTypeParameter &&
			d.Kind != lspNamespace && d.Kind != 1 && d.Kind != 2 {
			*out = append(*out, definition{Name: name, Container: in, place: place{path, d.SelectionRange.Start.Line + 1},
				At: d.SelectionRange.Start, Kind: d.Kind})
		}
		switch d.Kind {
		case lspMethod, lspConstructor, lspFunction:
			continue
		}
		if isFunction(d, lines) {
			continue // such as "const f = () => …"
		}
		next := name
		if !plain(name) || d.Kind == 2 || d.Kind == lspNamespace {
			next = container
		}
		flatten(path, next, d.Children, lines, out)
	}
}

// implType matches the type at the end of the heading of an impl block.
var implType = regexp.MustCompile(`(\w+)(?:<.*>)?$`)

// implemented returns the type that an impl block implements.
func implemented(heading string) string {
	if m := implType.FindStringSubmatch(strings.TrimSpace(heading)); m != nil {
		return m[1]
	}
	return ""
}

// isFunction reports whether a function begins between a symbol's name and its first child.
func isFunction(d documentSymbol, lines []string) bool {
	if d.SelectionRange == nil || len(d.Children) == 0 || d.Kind == lspClass {
		return false
	}
	from, to := d.SelectionRange.End, d.Children[0].Range.Start
	for _, c := range d.Children {
		if c.Range.Start.Line < to.Line || c.Range.Start.Line == to.Line && c.Range.Start.Character < to.Character {
			to = c.Range.Start
		}
	}
	var between strings.Builder
	for n := from.Line; n <= min(to.Line, len(lines)-1); n++ {
		line := lines[n]
		if n == to.Line {
			line = line[:min(to.Character, len(line))]
		}
		if n == from.Line {
			line = line[min(from.Character, len(line)):]
		}
		between.WriteString(line + "\n")
	}
	text := strings.TrimSpace(between.String())
	return strings.Contains(text, "=>") || strings.Contains(text, "function") || parametersOf.MatchString(text)
}

// parametersOf matches the text before the first parameter of an arrow function.
var parametersOf = regexp.MustCompile(`=\s*(?:async\s*)?(?:<(?s:.*)>\s*)?\(\s*[{\[]?$`)

// plain reports whether name is an ASCII identifier of at least two characters.
func plain(name string) bool {
	for i, r := range name {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return len(name) > 1
}

// compare measures find_symbol, grep and search_code for the definition d and adds the results to out.
func (o *options) compare(ctx context.Context, eng *engine.Engine, t answer, text *sources, files []string,
	server *answers, d definition, out *figures) error {
	name := d.Name
	if d.Container != "" {
		name = d.Container + "." + d.Name
	}
	dir := text.dir
	out.serverTime.times = append(out.serverTime.times, t.Took)
	out.symbols++

	// Definitions with the name and the container.
	truth := map[place]bool{}
	for _, e := range server.All {
		if e.Name == d.Name && (d.Container == "" || e.Container == d.Container) {
			truth[e.place] = true
		}
	}
	found, err := eng.Symbol(ctx, []string{dir}, api.SymbolQuery{Name: name, Complete: true})
	if err != nil {
		return err
	}
	got := map[place]bool{}
	for _, f := range found.Definitions {
		p := place{f.Path, f.Line}
		if f.Kind == "macro" && text.inactive != nil {
			continue // clangd does not list macros
		}
		if text.compiled(p) {
			got[p] = true
		}
	}
	out.definitions.add(truth, got)
	o.report(text, "definition", d, truth, got)

	// Uses of d. Definitions with the same name are excluded, because servers list overrides and members of unions as
	// uses.
	defined := map[place]bool{d.place: true}
	for _, e := range server.All {
		if e.Name == d.Name {
			defined[e.place] = true
		}
	}
	truth = map[place]bool{}
	strict := map[place]bool{}
	for _, p := range t.Places {
		if slices.Contains(files, p.Path) && !defined[p] {
			strict[p] = true
			truth[p] = text.contains(p, d.Name)
		}
	}
	maps.DeleteFunc(truth, func(_ place, written bool) bool { return !written })
	q := api.SymbolQuery{Name: name, Path: d.Path, Line: d.Line, Uses: true, Complete: true}
	if found, err = eng.Symbol(ctx, []string{dir}, q); err != nil {
		return err
	}
	all, certain := placesOf(found, files, defined)
	out.strict.addGroups(strict, all, certain)
	notCompiled := func(p place, _ bool) bool { return !text.compiled(p) }
	maps.DeleteFunc(all, notCompiled)
	maps.DeleteFunc(certain, notCompiled)
	out.uses.addGroups(truth, all, certain)
	o.report(text, "use", d, truth, intersection(all, truth))
	wrong := maps.Clone(certain)
	maps.DeleteFunc(wrong, func(p place, _ bool) bool { return truth[p] })
	o.report(text, "definite use", d, nil, wrong)
	complete := all

	// The answer for an assistant, with the tool's limits on time and tokens.
	q.Complete = false
	began := time.Now()
	if found, err = eng.Symbol(ctx, []string{dir}, q); err != nil {
		return err
	}
	out.uses.times = append(out.uses.times, time.Since(began))
	all, certain = placesOf(found, files, defined)
	maps.DeleteFunc(all, notCompiled)
	maps.DeleteFunc(certain, notCompiled)
	out.answered.addGroups(truth, all, certain)
	o.report(text, fmt.Sprintf("use within the deadline, %d files unread,", found.Unread), d, complete, all)
	answer, err := tools.SymbolAnswer(found, q, tools.SymbolTokens)
	if err != nil {
		return err
	}
	n, err := token.Count(string(answer))
	if err != nil {
		return err
	}
	out.uses.tokens = append(out.uses.tokens, n)

	if err := grep(ctx, dir, d, files, truth, defined, &out.grep); err != nil {
		return err
	}
	return searchCode(ctx, eng, dir, d, truth, defined, &out.search)
}

// placesOf returns all places and the certain places of an answer, without definitions.
func placesOf(r api.SymbolResults, files []string, defined map[place]bool) (all, certain map[place]bool) {
	all = map[place]bool{}
	for _, group := range [][]api.SymbolFile{r.Uses, r.Possible, r.Text} {
		for _, f := range group {
			for _, u := range f.Uses {
				if p := (place{f.Path, u.Line}); slices.Contains(files, f.Path) && !defined[p] {
					all[p] = true
				}
			}
		}
		if certain == nil {
			certain = maps.Clone(all)
		}
	}
	return all, certain
}

// grep measures grep -rnw for the name, without definitions.
func grep(ctx context.Context, dir string, d definition, files []string, truth, defined map[place]bool, t *tally) error {
	began := time.Now()
	c := exec.CommandContext(ctx, "grep", "-rnwIF", "--exclude-dir=.git", "--", d.Name, ".")
	c.Dir = dir
	text, _ := c.Output() // no match is an error
	cmd := string(text)
	t.times = append(t.times, time.Since(began))
	got := map[place]bool{}
	for line := range strings.Lines(cmd) {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) < 3 {
			continue
		}
		n, err := strconv.Atoi(parts[1])
		p := place{strings.TrimPrefix(parts[0], "./"), n}
		if err == nil && !defined[p] && slices.Contains(files, p.Path) {
			got[p] = true
		}
	}
	t.add(truth, got)
	n, err := token.Count(cmd)
	t.tokens = append(t.tokens, n)
	return err
}

// searchCode measures the lines with the name in the excerpts of search_code.
func searchCode(ctx context.Context, eng *engine.Engine, dir string, d definition, truth,
	defined map[place]bool, t *tally) error {
	began := time.Now()
	r, err := eng.Search(ctx, []string{dir}, api.Query{Text: d.Name, Corpus: api.CorpusCode, TopK: api.DefaultTopK,
		LexicalOnly: true})
	if err != nil {
		return err
	}
	t.times = append(t.times, time.Since(began))
	got := map[place]bool{}
	n := 0
	for _, h := range r.Hits {
		for _, l := range h.Lines {
			if p := (place{h.Path, l.Number}); strings.Contains(l.Text, d.Name) && !defined[p] {
				got[p] = true
			}
		}
		c, err := token.Count(h.Path + h.Text)
		if err != nil {
			return err
		}
		n += c + 20 // estimated tokens of the other fields
	}
	t.tokens = append(t.tokens, n)
	t.add(truth, got)
	return nil
}

// report prints the differences from the server's answer, if -misses is set.
func (o *options) report(text *sources, what string, d definition, truth, got map[place]bool) {
	if !o.misses {
		return
	}
	name := d.Container + "." + d.Name
	show := func(verb string, a, b map[place]bool) {
		n := 0
		for p := range a {
			if !b[p] {
				if n++; n <= 4 {
					fmt.Printf("%s %s %s (%s:%d, kind %d): %s:%d: %s\n", verb, what, name, d.Path, d.Line, d.Kind, p.Path, p.Line,
						strings.TrimSpace(text.line(p)))
				}
			}
		}
		if n > 4 {
			fmt.Printf("%s %s %s: and %d more\n", verb, what, name, n-4)
		}
	}
	show("missed", truth, got)
	show("wrong", got, truth)
}

func intersection(a, b map[place]bool) map[place]bool {
	out := maps.Clone(a)
	maps.DeleteFunc(out, func(p place, _ bool) bool { return !b[p] })
	return out
}
