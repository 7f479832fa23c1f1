package find

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// maxLine is how much of a line is told, in bytes.
const maxLine = 160

// usage gathers the places that mean what a question asks for, in as many turns as files are read in.
type usage struct {
	f       *finder
	project *files
	defined func(name string) bool // see symbol.Resolver
	found   map[string]places
}

// places are those of one file that mean what is asked for, and those that may.
type places struct{ sure, possible api.SymbolFile }

// resolve tells what was read since the last turn, as far as there is time.
func (u *usage) resolve(ctx context.Context) {
	f := u.f
	all := f.candidates()
	asked, _ := f.asked(all)
	if len(asked) == 0 {
		return
	}
	if u.found == nil {
		u.defined, u.found = f.definesType(ctx), map[string]places{}
	}
	var left []*file
	for _, file := range f.files() {
		if _, ok := u.found[file.path]; !ok {
			left = append(left, file)
		}
	}
	meant := u.meant(symbol.NewTypes(u.project), all, asked)
	var mu sync.Mutex                   // guards found
	pool := sync.Pool{New: func() any { // a Resolver belongs to one goroutine
		return &symbol.Resolver{Candidates: all, Defined: u.defined, Types: symbol.NewTypes(u.project)}
	}}
	beside(len(left), func(i int) {
		mu.Lock()
		late := ctx.Err() != nil || len(u.found) >= leastFiles && f.left() <= 0
		mu.Unlock()
		if late {
			return
		}
		r := pool.Get().(*symbol.Resolver)
		got := f.usesIn(ctx, left[i], r, asked, meant)
		pool.Put(r)
		mu.Lock()
		u.found[left[i].path] = got
		mu.Unlock()
	})
}

// report lays out what was found: code before tests, files near a definition first. What there was no time to tell
// counts as unread.
func (u *usage) report(out *api.SymbolResults) {
	if u.found == nil {
		return
	}
	for _, file := range u.f.files() {
		found, ok := u.found[file.path]
		switch {
		case !ok:
			out.Unread++
		case len(found.sure.Uses) > 0:
			out.TotalUses += len(found.sure.Uses)
			out.Uses = append(out.Uses, found.sure)
		}
		if len(found.possible.Uses) > 0 {
			out.Possible = append(out.Possible, found.possible)
		}
	}
	for _, list := range [][]api.SymbolFile{out.Uses, out.Possible} {
		slices.SortStableFunc(list, func(a, b api.SymbolFile) int { return falseFirst(a.Test, b.Test) })
	}
}

// falseFirst orders what is not so before what is.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// meant marks the candidates that a use of one that was asked for may mean.
func (u *usage) meant(types *symbol.Types, all []symbol.Candidate, asked []int) []bool {
	meant := make([]bool, len(all))
	h := &heirs{u: u, types: types, all: all}
	if slices.ContainsFunc(asked, func(i int) bool {
		return all[i].Member && (all[i].Language != "go" || all[i].Abstract)
	}) {
		beside(len(all), func(i int) { // the types of all are asked for below
			if owner := all[i].Owner(); all[i].Member && owner != "" {
				u.project.In(all[i].Path, symbol.TypeName(owner))
			}
		})
	}
	for _, i := range asked {
		for j := range all {
			meant[j] = meant[j] || j == i || same(&all[i], &all[j]) || h.implements(i, j)
		}
		for _, j := range u.keyOf(types, all, i) {
			meant[j] = true
		}
	}
	return meant
}

// keyOf are the members of types whose keys a candidate is in an object literal: route({method: "GET"}).
func (u *usage) keyOf(types *symbol.Types, all []symbol.Candidate, i int) []int {
	c, in := &all[i], u.f.read[all[i].Path]
	if !c.Inner || in == nil || u.project.Late() {
		return nil
	}
	for _, r := range in.References {
		if r.Role == symbol.Key && len(r.Expr) > 0 && at(c, in.path, r) {
			found, _ := types.Reach(types.Of(r.Expr, in.path, in.language), all)
			return found
		}
	}
	return nil
}

// usesIn are the uses in one file.
func (f *finder) usesIn(ctx context.Context, file *file, r *symbol.Resolver, asked []int, meant []bool) places {
	found := places{sure: api.SymbolFile{Path: file.path, Test: search.IsTest(file.path)}}
	found.possible = found.sure
	f.alias(ctx, file, r, meant)
	for _, u := range file.References {
		into := &found.sure
		if u.Role == symbol.Text {
			if !f.req.Query.Text {
				continue
			}
		} else if u.Local {
			continue
		} else if u.Renamed {
			// resolved with its import
		} else {
			use := symbol.Use{Path: file.path, Language: file.language, Imports: file.Imports, Reference: u}
			means := r.Resolve(use)
			switch {
			case slices.ContainsFunc(means, func(i int) bool { return meant[i] }):
			case len(means) == 0 && r.May(use, meant):
				into = &found.possible
			default:
				continue
			}
		}
		if slices.ContainsFunc(asked, func(i int) bool { return at(&r.Candidates[i], file.path, u) }) {
			continue // a key that defines it
		}
		if n := len(into.Uses); n > 0 && into.Uses[n-1].Line == u.Line && into.Uses[n-1].Column == u.Column+1 {
			continue // a key and a variable at once
		}
		into.Uses = append(into.Uses, api.SymbolUse{
			Line: u.Line, Column: u.Column + 1, Role: roleName(u.Role), In: strings.Join(u.In, "."), Source: file.line(u.Line),
		})
	}
	for _, list := range [][]api.SymbolUse{found.sure.Uses, found.possible.Uses} {
		slices.SortStableFunc(list, func(a, b api.SymbolUse) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
	}
	return found
}

// at reports whether a reference is the name of a definition.
func at(c *symbol.Candidate, path string, u symbol.Reference) bool {
	return c.NameLine == u.Line && c.Column == u.Column && c.Path == path
}

// alias adds the uses that a file makes of a name under another one: import {zip as zipStatic}.
func (f *finder) alias(ctx context.Context, in *file, r *symbol.Resolver, meant []bool) {
	for _, u := range in.References {
		if u.Role != symbol.Import {
			continue
		}
		said := in.File.Imports
		if u.Type != "" { // its own statement: another one may import another module's
			said = []string{u.Type}
		}
		other := symbol.Renamed(said, f.name)
		if other == "" {
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

// heirs tells which candidates are one because their types inherit from each other.
type heirs struct {
	u      *usage
	types  *symbol.Types
	all    []symbol.Candidate
	owners map[int]*symbol.Candidate
}

// owner is the type that a candidate belongs to, nil if it belongs to none that the project defines.
func (h *heirs) owner(i int) *symbol.Candidate {
	if !h.all[i].Member {
		return nil
	}
	owner, known := h.owners[i]
	if !known {
		if h.owners == nil {
			h.owners = map[int]*symbol.Candidate{}
		}
		owner = h.types.OwnerOf(&h.all[i])
		h.owners[i] = owner
	}
	return owner
}

// implements reports whether a use of candidate j may be one of i because one of their types inherits from the other.
// What inherits is found by languages in different ways: Go's interfaces by their methods, the others by what a type
// names.
func (h *heirs) implements(i, j int) bool {
	a, b := &h.all[i], &h.all[j]
	if i == j || !a.Member || !b.Member || a.Owner() == "" || b.Owner() == "" ||
		symbol.Family(a.Language) != symbol.Family(b.Language) || h.u.project.Late() {
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
			return h.satisfies(j, b, a)
		}
		return h.satisfies(i, a, b)
	}
	of, other := h.owner(i), h.owner(j)
	if of == nil || other == nil { // a trait for a type of another project
		return a.Language == "rust" && (of != nil && of.Kind == "trait" || other != nil && other.Kind == "trait")
	}
	if a.Language == "python" {
		return declared(a) && h.types.Inherits(other, of)
	}
	if isC(a.Language) { // a call through a base may be one of this, and not the other way round
		return h.types.Inherits(of, other)
	}
	if h.types.Inherits(of, other) || h.types.Inherits(other, of) {
		return true
	}
	return slices.ContainsFunc(h.types.Ancestors(of), func(base *symbol.Candidate) bool { // has the member as well
		return h.owns(base) && h.types.Inherits(other, base)
	})
}

// owns reports whether a type is the owner of a candidate.
func (h *heirs) owns(base *symbol.Candidate) bool {
	for k := range h.all {
		if o := h.owner(k); o != nil && o.Name == base.Name && o.Path == base.Path {
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

// satisfies reports whether the type of candidate i, a method in Go, has all methods of the interface whose method
// another one is.
func (h *heirs) satisfies(i int, method, abstract *symbol.Candidate) bool {
	whole := h.u.project.extract(abstract.Path, abstract.Language, "")
	of := h.owner(i)
	return whole != nil && of != nil && !slices.ContainsFunc(whole.Definitions, func(d symbol.Definition) bool {
		return d.Abstract && d.Owner() == abstract.Owner() && d.Name != method.Name && !h.types.Has(of, d.Name)
	})
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

// definesType tells whether the project defines a name, asking the index once for each. It is safe for concurrent use.
func (f *finder) definesType(ctx context.Context) func(string) bool {
	var mu sync.Mutex // guards known, not what stands in it, which is made once
	known := map[string]func() bool{}
	return func(name string) bool {
		mu.Lock()
		defined, ok := known[name]
		if !ok {
			defined = sync.OnceValue(func() bool {
				held, err := f.look(ctx, answerTime, store.Names{All: []string{name}, Defined: true})
				return err != nil || held.Unknown || len(held.Rows)+held.Rest > 0
			})
			known[name] = defined
		}
		mu.Unlock()
		return defined()
	}
}

// like answers with definitions whose names are like the one that nothing has.
func (f *finder) like(ctx context.Context, out api.SymbolResults) (api.SymbolResults, error) {
	words, rows, err := f.r.Like(ctx, f.name, maxLike)
	if err != nil {
		return out, err
	}
	own, err := f.look(ctx, answerTime, store.Names{All: []string{f.name}, Defined: true})
	if err != nil {
		return out, err
	}
	f.queue, f.next, f.defined = nil, 0, 0
	wanted := map[string]bool{}
	for _, w := range words {
		wanted[w] = true
	}
	for _, row := range append(own.Rows, rows...) {
		known := slices.ContainsFunc(f.queue, func(h holder) bool { return h.path == row.Path })
		if len(f.queue) < maxLikeRows && !known && f.req.Allowed(row.Path) {
			f.queue = append(f.queue, holder{path: row.Path, language: row.Language})
		}
	}
	f.read = map[string]*file{}
	if err := f.readFiles(ctx, "", max(f.left(), answerTime/2)); err != nil {
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
