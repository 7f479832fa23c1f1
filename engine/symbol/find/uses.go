package find

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/symbol"
)

// maxLine is how much of a line is told, in bytes.
const maxLine = 160

// uses gathers the places that mean one of the candidates that were asked for.
func (f *finder) uses(ctx context.Context, all []symbol.Candidate, asked []int, out *api.SymbolResults) {
	types := symbol.NewTypes(&files{f: f, ctx: ctx})
	meant := make([]bool, len(all))
	for _, i := range asked {
		for j := range all {
			meant[j] = meant[j] || j == i || same(&all[i], &all[j]) || f.implements(ctx, types, all, &all[i], &all[j])
		}
	}
	r := &symbol.Resolver{Candidates: all, Defined: f.definesType(ctx), Types: types}
	for _, file := range f.files() {
		found := api.SymbolFile{Path: file.path, Test: search.IsTest(file.path)}
		f.alias(ctx, file, r, meant)
		for _, u := range file.References {
			if u.Role == symbol.Text {
				if !f.req.Query.Text {
					continue
				}
			} else if u.Local {
				continue
			} else if u.Renamed {
				// resolved with its import
			} else if means := r.Resolve(symbol.Use{Path: file.path, Language: file.language, Imports: file.Imports,
				Reference: u}); !slices.ContainsFunc(means, func(i int) bool { return meant[i] }) {
				continue
			}
			if slices.ContainsFunc(asked, func(i int) bool { return at(&all[i], file.path, u) }) {
				continue // a key that defines it
			}
			if n := len(found.Uses); n > 0 && found.Uses[n-1].Line == u.Line && found.Uses[n-1].Column == u.Column+1 {
				continue // a key and a variable at once
			}
			found.Uses = append(found.Uses, api.SymbolUse{
				Line: u.Line, Column: u.Column + 1, Role: roleName(u.Role), In: strings.Join(u.In, "."), Source: file.line(u.Line),
			})
		}
		slices.SortStableFunc(found.Uses, func(a, b api.SymbolUse) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		if len(found.Uses) > 0 {
			out.TotalUses += len(found.Uses)
			out.Uses = append(out.Uses, found)
		}
	}
	slices.SortStableFunc(out.Uses, func(a, b api.SymbolFile) int {
		if a.Test != b.Test {
			if a.Test {
				return 1
			}
			return -1
		}
		return 0
	})
}

// at reports whether a reference is the name of a definition.
func at(c *symbol.Candidate, path string, u symbol.Reference) bool {
	return c.NameLine == u.Line && c.Column == u.Column && c.Path == path
}

// alias adds the uses that a file makes of a name under another one: import {zip as zipStatic}.
func (f *finder) alias(ctx context.Context, in *file, r *symbol.Resolver, meant []bool) {
	for _, u := range in.References {
		other := symbol.Renamed(in.File.Imports, f.name)
		if u.Role != symbol.Import || other == "" {
			continue
		}
		means := r.Resolve(symbol.Use{Path: in.path, Language: in.language, Imports: in.File.Imports, Reference: u})
		if !slices.ContainsFunc(means, func(i int) bool { return meant[i] }) {
			continue
		}
		got, err := f.readFile(ctx, holder{path: in.path, language: in.language}, other)
		if err != nil || got == nil {
			return
		}
		for _, v := range got.References {
			if v.Role != symbol.Import && v.Role != symbol.Text && v.Role != symbol.Key && v.Receiver == "" && !v.Local {
				v.Renamed = true
				in.References = append(in.References, v)
			}
		}
		return
	}
}

// same reports whether two definitions are of one thing: overloads, a declaration and its definition, parts of a class.
func same(a, b *symbol.Candidate) bool {
	if a.Owner() != b.Owner() || a.Inner != b.Inner {
		return false
	}
	if a.Path == b.Path {
		return slices.Equal(a.Scope, b.Scope)
	}
	return isC(a.Language) && isC(b.Language)
}

// implements reports whether a use of b may be one of a because one of their types inherits from the other. What
// inherits is found by languages in different ways: Go's interfaces by their methods, the others by what a type names.
func (f *finder) implements(ctx context.Context, types *symbol.Types, all []symbol.Candidate, a,
	b *symbol.Candidate) bool {
	if !a.Member || !b.Member || a.Owner() == "" || b.Owner() == "" || a == b {
		return false
	}
	if a.Language == "python" && !assigned(b) {
		return false // a class's own comes first
	}
	if a.Language == "go" {
		if a.Kind != "method" || b.Kind != "method" || a.Abstract == b.Abstract {
			return false
		}
		if a.Abstract {
			a, b = b, a
		}
		return f.satisfies(ctx, types, a, b)
	}
	of, other := types.OwnerOf(a), types.OwnerOf(b)
	if of == nil || other == nil {
		return false
	}
	if a.Language == "python" {
		return declared(a) && types.Inherits(other, of, 0)
	}
	if isC(a.Language) { // a call through a base may be one of this, and not the other way round
		return types.Inherits(of, other, 0)
	}
	if types.Inherits(of, other, 0) || types.Inherits(other, of, 0) {
		return true
	}
	for i := range all { // of one that both inherit from
		if base := types.OwnerOf(&all[i]); base != nil && all[i].Member && &all[i] != a && &all[i] != b &&
			types.Inherits(of, base, 0) && types.Inherits(other, base, 0) {
			return true
		}
	}
	return false
}

// assigned reports whether a definition is an attribute's first assignment, declared whether it is one with a type.
func assigned(c *symbol.Candidate) bool {
	return c.Kind == "field" && strings.HasPrefix(c.Signature, "self.") && !declared(c)
}

func declared(c *symbol.Candidate) bool {
	name, _, _ := strings.Cut(c.Signature, "=")
	return strings.Contains(name, c.Name+":") || strings.Contains(name, c.Name+" :")
}

// satisfies reports whether a method's type in Go has all methods of the interface whose method another one is.
func (f *finder) satisfies(ctx context.Context, types *symbol.Types, method, abstract *symbol.Candidate) bool {
	of := types.OwnerOf(method)
	if of == nil {
		return false
	}
	whole, err := f.readFile(ctx, holder{path: abstract.Path, language: abstract.Language}, "")
	if err != nil || whole == nil {
		return false
	}
	for _, d := range whole.Definitions {
		if d.Abstract && d.Owner() == abstract.Owner() && d.Name != method.Name && !types.Has(of, d.Name) {
			return false
		}
	}
	return true
}

func isC(language string) bool {
	return language == "c" || language == "cpp" || language == "objective-c"
}

func roleName(r symbol.Role) string {
	switch r {
	case symbol.Call:
		return api.UseCall
	case symbol.Import:
		return api.UseImport
	case symbol.Text:
		return api.UseText
	}
	return api.UseMention
}

func (f *file) line(n int) string {
	lines := f.lines()
	if n < 1 || n > len(lines) {
		return ""
	}
	s := strings.TrimSpace(lines[n-1])
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "…"
	}
	return s
}

// definesType tells whether the project defines a name, asking the index once for each.
func (f *finder) definesType(ctx context.Context) func(string) bool {
	known := map[string]bool{}
	return func(name string) bool {
		defined, seen := known[name]
		if !seen {
			rows, ok, err := f.r.Holding(ctx, name, true)
			defined = err != nil || !ok || len(rows) > 0
			known[name] = defined
		}
		return defined
	}
}

// like answers with definitions whose names are like the one that nothing has.
func (f *finder) like(ctx context.Context, out api.SymbolResults) (api.SymbolResults, error) {
	words, rows, err := f.r.Like(ctx, f.name, maxLike)
	if err != nil {
		return out, err
	}
	own, _, err := f.r.Holding(ctx, f.name, true)
	if err != nil {
		return out, err
	}
	f.queue = nil
	wanted := map[string]bool{}
	for _, w := range words {
		wanted[w] = true
	}
	for _, row := range append(own, rows...) {
		known := slices.ContainsFunc(f.queue, func(h holder) bool { return h.path == row.Path })
		if len(f.queue) < maxLikeRows && !known && f.req.Allowed(row.Path) {
			f.queue = append(f.queue, holder{path: row.Path, language: row.Language})
		}
	}
	f.read = map[string]*file{}
	if err := f.readFiles(ctx, "", 0); err != nil {
		return out, err
	}
	var found []symbol.Candidate
	for _, c := range f.candidates() {
		n := normal(c.Name)
		if wanted[n] || strings.Contains(n, normal(f.name)) {
			found = append(found, c)
		}
	}
	out.Unread = 0
	if len(found) == 0 {
		return out, nil
	}
	asked, _ := f.asked(found)
	for _, i := range asked[:min(len(asked), maxLike)] {
		out.Definitions = append(out.Definitions, shown(found[i]))
	}
	out.Like = true
	return out, nil
}

// normal is a name as the index has it.
func normal(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
