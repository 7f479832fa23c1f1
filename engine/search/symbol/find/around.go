package find

import (
	"context"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// maxSubject is how much of a definition is told as what it is about, in bytes: what a query may be, with room to
// spare.
const maxSubject = 700

// Around finds the definition that a line of a file stands in, the innermost that is no function's own, and what it is
// about as a question: its name and comment, and how its text begins. ok is false outside of all definitions; subject
// is the text around the line then.
func Around(ctx context.Context, req OutlineRequest, line int) (d api.SymbolDefinition, subject string,
	ok bool, err error) {
	path := req.Query.Path
	data, readable := req.Read(path)
	if !readable || !req.Allowed(path) {
		return d, "", false, api.ErrFileNotFound(path)
	}
	f := &finder{req: Request{Documents: req.Documents, Read: func(string) ([]byte, bool) { return data, true }}}
	defer f.close()
	got, err := f.readFile(ctx, holder{path: path}, "")
	if err != nil {
		return d, "", false, err
	}
	var best *symbol.Definition
	for i := range got.Definitions {
		if c := &got.Definitions[i]; !c.Inner && c.Line <= line && line <= c.Last &&
			(best == nil || c.Last-c.Line <= best.Last-best.Line) {
			best = c
		}
	}
	if best == nil {
		return d, clip(strings.Join(got.between(line-3, line+6), "\n")), false, nil
	}
	d = shown(symbol.Candidate{Path: path, Language: got.language, Definition: *best})
	subject = strings.Join([]string{strings.Join(words(best.Name), " "), best.Comment,
		strings.Join(got.between(best.Line, best.Last), "\n")}, "\n")
	return d, clip(subject), true, nil
}

// between are lines of a file, counted from 1, both ends among them.
func (f *file) between(first, last int) []string {
	lines := f.lines()
	return lines[min(max(first-1, 0), len(lines)):min(max(last, 0), len(lines))]
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxSubject)], "") }

// words takes a name in camel or snake case apart.
func words(name string) []string {
	var out []string
	from := 0
	for i := 1; i < len(name); i++ {
		upper := 'A' <= name[i] && name[i] <= 'Z'
		lower := 'a' <= name[i-1] && name[i-1] <= 'z'
		if name[i] == '_' || upper && lower {
			out = append(out, strings.Trim(name[from:i], "_"))
			from = i
		}
	}
	return append(out, strings.Trim(name[from:], "_"))
}

// Twins are definitions in other languages whose names are spelt alike but for case and underscores, of the same kind.
func Twins(ctx context.Context, r Reader, req Request, d api.SymbolDefinition) ([]api.SymbolDefinition, error) {
	name := lastName(d.Name)
	held, err := r.Holding(ctx, store.Names{All: []string{name}, Defined: true})
	if err != nil {
		return nil, err
	}
	var out []api.SymbolDefinition
	f := &finder{req: req}
	defer f.close()
	read := map[string]bool{}
	for _, row := range held.Rows {
		if row.Language == "" || symbol.Family(row.Language) == symbol.Family(d.Language) || read[row.Path] ||
			len(read) == maxLikeRows || !req.Allowed(row.Path) {
			continue
		}
		read[row.Path] = true
		got, err := f.readFile(ctx, holder{path: row.Path, language: row.Language}, "")
		if err != nil {
			return nil, err
		}
		if got == nil {
			continue
		}
		for _, m := range got.Definitions {
			if normal(m.Name) == normal(name) && !m.Inner && callable(m.Kind) == callable(chunk.Kind(d.Kind)) {
				out = append(out, shown(symbol.Candidate{Path: row.Path, Language: got.language, Definition: m}))
			}
		}
	}
	return out, nil
}

func callable(k chunk.Kind) bool { return k == chunk.KindFunction || k == chunk.KindMethod }

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
