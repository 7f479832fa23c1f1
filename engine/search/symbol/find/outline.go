package find

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store/text"
)

// Outliner is the part of the index that an outline needs.
type Outliner interface {
	Reader
	Popular(ctx context.Context, limit int, admit func(path string) bool) ([]text.Popular, error)
}

const (
	popularWords    = 2000 // frequent words examined to find the most used files
	namesOfFile     = 6    // names listed per file
	maxOutlined     = 50   // files listed per folder
	maxPath         = 4096 // in bytes; no system allows longer paths
	maxDeclared     = 10
	maxListed       = 100
	maxDeclaredText = 512 << 10
)

// Outline lists the declarations of a file or the files of a folder, or returns the requested declarations. The query
// in req is ignored.
func Outline(ctx context.Context, r Outliner, q api.OutlineQuery, req Request) (api.Outline, error) {
	if len(q.Path) > maxPath {
		return api.Outline{}, api.ErrArgument("path", "the path of a file or folder of the project")
	}
	out := api.Outline{Path: q.Path}
	if slices.ContainsFunc(api.Corpora, func(c api.Corpus) bool { return slices.Contains(r.Paths(c), q.Path) }) {
		err := outlineFile(ctx, &out, q, req)
		if err == nil && q.Name != "" && out.Total == 0 {
			err = addElsewhere(ctx, r, &out, q, req)
		}
		return out, err
	}
	if q.Name != "" || q.Line > 0 {
		return declaredAnywhere(ctx, r, out, q, req)
	}
	return outlineFolder(ctx, r, out, q, req)
}

func outlineFile(ctx context.Context, out *api.Outline, q api.OutlineQuery, req Request) error {
	read, done := req.Open()
	defer done()
	data := read(out.Path, nil)
	if data == nil || !req.Allowed(out.Path) {
		return api.ErrFileNotFound(out.Path)
	}
	got, err := definitionsIn(ctx, out.Path, data, req.Documents)
	if err != nil {
		return err
	}
	if q.Name != "" || q.Line > 0 {
		if declaredIn(out, got, q); out.Total == 0 {
			out.Notes = append(out.Notes, nothingDeclared(got, q))
		}
		return nil
	}
	if len(got.Definitions) == 0 {
		out.Notes = append(out.Notes, "No declaration was recognized in this file.")
	}
	if q.Query != "" {
		out.Nodes = matching(q.Query, data, len(got.lines()), got.language, got.Definitions)
		out.Total = len(out.Nodes)
		return nil
	}
	root := &api.OutlineNode{EndLine: len(got.lines()) + 1}
	around := []*api.OutlineNode{root} // possible parents of the next declaration
	for _, d := range got.Definitions {
		if d.Inner {
			continue
		}
		parent := around[len(around)-1]
		for len(around) > 1 && (d.Line < parent.StartLine || parent.EndLine < d.Last ||
			d.Line == parent.StartLine && d.Last == parent.EndLine || !slices.Contains(d.Scope, parent.Name)) {
			around = around[:len(around)-1]
			parent = around[len(around)-1]
		}
		parent.Children = append(parent.Children, api.OutlineNode{Name: d.Name, Kind: string(d.Kind), Signature: d.Signature,
			StartLine: d.Line, EndLine: d.Last})
		out.Total++
		around = append(around, &parent.Children[len(parent.Children)-1])
	}
	out.Nodes = root.Children
	return nil
}

// definitionsIn returns the definitions or sections of a file, in line order.
func definitionsIn(ctx context.Context, path string, data []byte, documents symbol.Documents) (*file, error) {
	f := &finder{req: Request{Documents: documents}, cache: map[string]*source{}}
	defer f.close()
	got, err := f.readFile(ctx, func(string, func([]byte) bool) []byte { return data }, holder{path: path})
	if err != nil {
		return nil, err
	}
	sections := chunk.Sections(lang.OfFile(path, data), got.text) // the language of a page, not of its scripts
	for _, s := range sections {
		got.Definitions = append(got.Definitions, symbol.Definition{Definition: chunk.Definition{Name: s.Name,
			Kind: chunk.KindSection, Scope: s.Scope, Top: s.Line, Line: s.Line, Last: s.End}, NameLine: s.Line,
			Signature: s.Signature})
	}
	if len(sections) > 0 { // insert the sections between the definitions
		slices.SortStableFunc(got.Definitions, func(a, b symbol.Definition) int { return cmp.Compare(a.Line, b.Line) })
	}
	return got, nil
}

func matching(query string, data []byte, lines int, language string, all []symbol.Definition) []api.OutlineNode {
	var terms []text.Term
	words := text.Analyse(query)
	for _, w := range words {
		terms = append(terms, text.Term{Word: w, Weight: 1 / float64(len(words))})
	}
	file := api.Chunk{Text: string(data), Language: language, StartLine: 1, EndLine: lines}
	for _, d := range all {
		file.Decls = append(file.Decls, api.Decl{Name: d.Name, Kind: string(d.Kind), Scope: d.Scope, Signature: d.Signature,
			Start: d.Top, Line: d.Line, End: d.Last})
	}
	q, source := answer.NewQuery(terms, nil), slices.Collect(strings.Lines(file.Text))
	var snippets []*answer.Snippet
	for _, u := range text.Units(file) {
		u.End = min(u.End, len(source))
		if u.Decl.Line == 0 || u.Start > u.End {
			continue
		}
		p := q.Snippet(answer.Passage{Unit: u, Language: language, First: u.Start, Lines: source[u.Start-1 : u.End]})
		if p != nil && p.Score() > 0 {
			snippets = append(snippets, p)
		}
	}
	slices.SortStableFunc(snippets, func(a, b *answer.Snippet) int { return cmp.Compare(b.Score(), a.Score()) })
	var nodes []api.OutlineNode
	for _, p := range snippets {
		nodes = append(nodes, api.OutlineNode{Name: p.Decl.Name, Kind: p.Decl.Kind, Signature: p.Line(),
			StartLine: p.Start, EndLine: p.End})
	}
	return nodes
}

func outlineFolder(ctx context.Context, r Outliner, out api.Outline, q api.OutlineQuery,
	req Request) (api.Outline, error) {
	below := func(p string) bool { return out.Path == "" || strings.HasPrefix(p, out.Path+"/") }
	folders, languages := map[string]int{}, map[string]int{}
	for _, corpus := range api.Corpora {
		for _, p := range r.Paths(corpus) {
			if !below(p) || !req.Allowed(p) {
				continue
			}
			out.Total++
			rest := strings.TrimPrefix(strings.TrimPrefix(p, out.Path), "/")
			if dir, _, ok := strings.Cut(rest, "/"); ok {
				folders[path.Join(out.Path, dir)]++
			}
			if l := lang.OfFile(p, nil); l != "" {
				languages[l]++
			}
		}
	}
	if out.Total == 0 && out.Path != "" {
		return out, api.ErrFileNotFound(out.Path)
	}
	for p, n := range folders {
		out.Folders = append(out.Folders, api.OutlineFolder{Path: p, Files: n})
	}
	slices.SortFunc(out.Folders, func(a, b api.OutlineFolder) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Path, b.Path))
	})
	out.Languages = slices.SortedFunc(maps.Keys(languages), func(a, b string) int {
		return cmp.Or(cmp.Compare(languages[b], languages[a]), cmp.Compare(a, b))
	})
	var err error
	out.Files, err = usedFiles(ctx, r, func(p string) bool { return below(p) && req.Allowed(p) && !search.IsTest(p) })
	return out, err
}

// usedFiles returns the files that define the names used most in other files.
func usedFiles(ctx context.Context, r Outliner, admit func(string) bool) ([]api.OutlineFile, error) {
	popular, err := r.Popular(ctx, popularWords, admit)
	if err != nil {
		return nil, err
	}
	byPath := map[string]api.OutlineFile{}
	for _, p := range popular {
		for path, name := range p.Names {
			f := byPath[path]
			f.Path, f.Uses = path, f.Uses+p.Uses/len(p.Names)
			if len(f.Symbols) < namesOfFile {
				f.Symbols = append(f.Symbols, name)
			}
			byPath[path] = f
		}
	}
	out := slices.SortedFunc(maps.Values(byPath), func(a, b api.OutlineFile) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), maxOutlined)], nil
}

// declaredIn adds the declarations with the query's name or at the query's line, in file order.
func declaredIn(out *api.Outline, got *file, q api.OutlineQuery) {
	found := got.Definitions
	if q.Name != "" {
		found = called(got, q.Name)
	}
	if within := around(found, q.Line); q.Line > 0 && (len(within) > 0 || q.Name == "") {
		found = within
	} else if q.Line > 0 && len(found) > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("Line %d is not in a declaration with that name.", q.Line))
	}
	slices.SortStableFunc(found, func(a, b symbol.Definition) int { return cmp.Compare(a.Top, b.Top) })
	size := 0
	for _, d := range out.Declared {
		size += len(d.Text)
	}
	for _, d := range found {
		out.Total++
		if len(out.Declared) == maxListed {
			continue
		}
		one := api.Declared{Name: strings.Join(d.Path(), "."), Kind: string(d.Kind),
			Path: got.path, Signature: d.Signature, StartLine: max(1, min(d.Top, d.Line)),
			EndLine: min(d.Last, len(got.lines()))}
		if len(out.Declared) < maxDeclared && one.StartLine <= one.EndLine {
			text := strings.Join(got.lines()[one.StartLine-1:one.EndLine], "\n")
			if size += len(text); size <= maxDeclaredText {
				one.Text = text
			}
		}
		out.Declared = append(out.Declared, one)
	}
}

// called returns the declarations of a name in a file. If there is no exact match, it ignores case and underscores.
func called(got *file, name string) []symbol.Definition {
	f := &finder{req: Request{Query: api.SymbolQuery{Name: name}}}
	_, last := f.nameIn(got.language)
	candidate := func(d symbol.Definition) *symbol.Candidate {
		return &symbol.Candidate{Path: got.path, Language: got.language, Definition: d}
	}
	for _, means := range []func(d symbol.Definition) bool{
		func(d symbol.Definition) bool { return d.Name == strings.TrimSpace(name) },
		func(d symbol.Definition) bool { return d.Name == last && f.spelt(candidate(d)) },
		func(d symbol.Definition) bool { return strings.EqualFold(d.Name, strings.TrimSpace(name)) },
		func(d symbol.Definition) bool { return normal(d.Name) == normal(last) && f.inScope(candidate(d)) },
	} {
		for _, inner := range []bool{false, true} {
			other := func(d symbol.Definition) bool { return d.Inner != inner || !means(d) }
			if found := slices.DeleteFunc(slices.Clone(got.Definitions), other); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// around returns the innermost declaration that contains a line. Declarations of one line and local variables come
// last.
func around(all []symbol.Definition, line int) []symbol.Definition {
	best, size := -1, 0
	for i, d := range all {
		if line < min(d.Top, d.Line) || line > d.Last {
			continue
		}
		n := d.Last - d.Line
		if n == 0 || d.Inner && d.Kind != chunk.KindFunction && d.Kind != chunk.KindMethod && d.Kind != chunk.KindType {
			n += 1 << 30
		}
		if best < 0 || n <= size {
			best, size = i, n
		}
	}
	return all[max(best, 0) : best+1 : best+1]
}

// Enclosing returns a function that finds the innermost declaration around a line of a file: its qualified name, and
// its lines including its comment.
func Enclosing(ctx context.Context, path string, data []byte,
	documents symbol.Documents) (func(line int) (name string, first, last int), error) {
	got, err := definitionsIn(ctx, path, data, documents)
	if err != nil {
		return nil, err
	}
	return func(line int) (string, int, int) {
		for _, d := range around(got.Definitions, line) {
			return strings.Join(d.Path(), "."), max(1, min(d.Top, d.Line)), d.Last
		}
		return "", 0, 0
	}, nil
}

// declaredAnywhere returns the declarations of a name in a folder or in the whole project, the most likely file first.
func declaredAnywhere(ctx context.Context, r Outliner, out api.Outline, q api.OutlineQuery,
	req Request) (api.Outline, error) {
	switch {
	case q.Line > 0 && q.Path == "":
		return out, api.ErrArgument("line", "a line of the file that path names")
	case q.Line > 0:
		return out, api.ErrFileNotFound(q.Path)
	}
	req.Query = api.SymbolQuery{Name: q.Name, Path: q.Path}
	if q.Path != "" {
		req.Matches = func(p string) bool { return strings.HasPrefix(p, q.Path+"/") }
	}
	found, err := Find(ctx, r, req)
	if err != nil {
		return out, err
	}
	out.Notes = found.Notes
	if found.Like {
		out.Notes = append(out.Notes, "No declaration has exactly this name. Similar declarations:")
	}
	read, done := req.Open()
	defer done()
	for _, d := range found.Definitions {
		data := read(d.Path, nil)
		if data == nil {
			continue
		}
		got, err := definitionsIn(ctx, d.Path, data, req.Documents)
		if err != nil {
			return out, err
		}
		got.Definitions = slices.DeleteFunc(got.Definitions, func(have symbol.Definition) bool {
			return have.Line != d.StartLine || have.NameLine != d.Line ||
				have.Name != d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		})
		declaredIn(&out, got, api.OutlineQuery{Line: d.Line})
	}
	return out, nil
}

func addElsewhere(ctx context.Context, r Outliner, out *api.Outline, q api.OutlineQuery, req Request) error {
	req.Query = api.SymbolQuery{Name: q.Name}
	found, err := Find(ctx, r, req)
	if err != nil || found.Like || len(found.Definitions) == 0 {
		return err
	}
	var places []string
	for _, d := range found.Definitions[:min(len(found.Definitions), maxLike)] {
		places = append(places, fmt.Sprintf("%s:%d", d.Path, d.Line))
	}
	out.Notes = append(out.Notes, "It is declared in "+strings.Join(places, ", ")+".")
	return nil
}

func nothingDeclared(got *file, q api.OutlineQuery) string {
	if q.Name != "" {
		return "This file has no declaration of that name. outline without a name lists its declarations."
	}
	if q.Line > len(got.lines()) {
		return fmt.Sprintf("The file has %d lines.", len(got.lines()))
	}
	before, after, last := "", "", 0
	for _, d := range got.Definitions {
		switch place := fmt.Sprintf("%d-%d %s.", d.Line, d.Last, d.Name); {
		case d.Last < q.Line && d.Last >= last:
			before, last = " Before it: "+place, d.Last
		case min(d.Top, d.Line) > q.Line && after == "":
			after = " After it: " + place
		}
	}
	return fmt.Sprintf("Line %d is not inside a declaration.", q.Line) + before + after
}
