package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
)

const (
	maxDeclared     = 10
	maxListed       = 100
	maxDeclaredText = 512 << 10
)

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
	note := fmt.Sprintf("Line %d is not inside a declaration.", q.Line)
	var before, after *symbol.Definition
	for i, d := range got.Definitions {
		switch {
		case d.Last < q.Line && (before == nil || d.Last >= before.Last):
			before = &got.Definitions[i]
		case min(d.Top, d.Line) > q.Line && after == nil:
			after = &got.Definitions[i]
		}
	}
	if before != nil {
		note += fmt.Sprintf(" Before it: %d-%d %s.", before.Line, before.Last, before.Name)
	}
	if after != nil {
		note += fmt.Sprintf(" After it: %d-%d %s.", after.Line, after.Last, after.Name)
	}
	return note
}
