package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

const maxLine = 160 // maximum number of bytes of a displayed line

// usage rates how certainly each occurrence of a name uses the requested definitions.
type usage struct {
	f     *finder
	judge symbol.Judge
	asked []int
	found []found                       // sorted by file and line
	extra map[string][]symbol.Reference // uses under other names, by path
	until time.Time                     // time limit of rate

	selectors bool // a requested definition is a CSS rule
}

type found struct {
	path      string
	certainty symbol.Certainty
	use       api.SymbolUse
}

func newUsage(f *finder, all []symbol.Candidate, asked []int) *usage {
	u := &usage{f: f, asked: asked, extra: map[string][]symbol.Reference{}, judge: symbol.Judge{All: all,
		Asked: make([]bool, len(all)), Partial: f.partial.Load()}}
	for _, i := range asked {
		u.selectors = u.selectors || lang.Of(all[i].Language).Selectors
		for j := range all {
			u.judge.Asked[j] = u.judge.Asked[j] || j == i || same(&all[i], &all[j])
		}
	}
	return u
}

// same reports whether two definitions count as one, such as overloads.
func same(a, b *symbol.Candidate) bool {
	if a.Owner() != b.Owner() || a.Inner != b.Inner {
		return false
	}
	if a.Path == b.Path {
		return slices.Equal(a.Scope, b.Scope)
	}
	return lang.Of(a.Language).Visibility == lang.Included && lang.Of(b.Language).Visibility == lang.Included
}

func (u *usage) rate() {
	u.found, u.until = nil, time.Now().Add(max(u.f.left(), 0)+ratingTime)
	for _, file := range u.f.files() {
		in := symbol.Place{Path: file.path, Language: file.language, Imports: file.Imports}
		refs := append(slices.Clone(file.References), u.extra[file.path]...)
		slices.SortStableFunc(refs, func(a, b symbol.Reference) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		known := map[string]symbol.Certainty{}
		for i := 0; i < len(refs); i++ {
			r := refs[i]
			certainty := u.certainty(r, in, known)
			for ; i+1 < len(refs) && refs[i+1].Line == r.Line && refs[i+1].Column == r.Column; i++ {
				// In "{ name }", the key and the variable have the same position. Keep the more certain use.
				if c := u.certainty(refs[i+1], in, known); c > certainty {
					r, certainty = refs[i+1], c
				}
			}
			switch {
			case slices.ContainsFunc(u.asked, func(i int) bool {
				c := &u.judge.All[i]
				return c.Path == file.path && c.NameLine == r.Line && c.Column == r.Column &&
					(r.Role != symbol.Key || len(u.asked) == 1)
			}):
				continue // the definition itself, but not the key in "const { name } = object"
			case file.bare:
				certainty = min(certainty, symbol.Likely)
			case certainty == symbol.Unlikely && r.Role == symbol.String && len(wordsOf(u.f.name)) < 2:
				certainty = symbol.TextOnly
			case certainty == symbol.Unlikely && r.Role == symbol.String && u.selectors:
				certainty = symbol.Likely
			}
			u.found = append(u.found, found{file.path, certainty, api.SymbolUse{Line: r.Line, Column: r.Column + 1,
				Role: roles[r.Role], In: strings.Join(r.In, "."), Source: file.line(r.Line)}})
		}
	}
}

func (u *usage) count(certainty symbol.Certainty) (n int) {
	for i := range u.found {
		if u.found[i].certainty >= certainty {
			n++
		}
	}
	return n
}

// certainty returns how certainly a reference uses a requested definition. known caches the results for the file.
func (u *usage) certainty(r symbol.Reference, in symbol.Place, known map[string]symbol.Certainty) symbol.Certainty {
	switch code := r.Role < symbol.String; {
	case code && len(u.asked) == 0 && r.Local:
		return symbol.TextOnly
	case code && len(u.asked) == 0:
		return symbol.Certain
	case code && time.Now().After(u.until):
		return symbol.Likely
	}
	evidence := r
	evidence.Column = 0
	if r.Role != symbol.Import {
		evidence.Line = 0
	}
	key := fmt.Sprint(evidence)
	c, ok := known[key]
	if !ok {
		c = u.judge.Of(r, in)
		known[key] = c
	}
	return c
}

// report adds the uses to out, with code before tests. Unlikely uses are listed as possible only if there are no
// others.
func (u *usage) report(out *api.SymbolResults) {
	least := symbol.Likely
	if u.count(symbol.Likely) == 0 {
		least = symbol.Unlikely
	}
	for _, x := range u.found {
		list, total := &out.Text, &out.TotalText
		if x.certainty == symbol.Certain {
			list, total = &out.Uses, &out.TotalUses
		} else if x.certainty >= least {
			list, total = &out.Possible, &out.TotalPossible
		}
		if n := len(*list); n == 0 || (*list)[n-1].Path != x.path {
			*list = append(*list, api.SymbolFile{Path: x.path, Test: search.IsTest(x.path)})
		}
		of := &(*list)[len(*list)-1]
		of.Uses, *total = append(of.Uses, x.use), *total+1
	}
	for _, list := range [][]api.SymbolFile{out.Uses, out.Possible, out.Text} {
		slices.SortStableFunc(list, func(a, b api.SymbolFile) int {
			return strings.Compare(strconv.FormatBool(a.Test), strconv.FormatBool(b.Test)) // false before true
		})
	}
}

var roles = map[symbol.Role]string{symbol.Mention: api.UseMention, symbol.Call: api.UseCall,
	symbol.Import: api.UseImport, symbol.Key: api.UseMention, symbol.String: api.UseString, symbol.Comment: api.UseComment}

func (f *file) line(n int) string {
	lines := f.lines()
	if n < 1 || n > len(lines) {
		return ""
	}
	return chunk.Shorten(strings.TrimSpace(lines[n-1]), maxLine)
}

// like completes the answer for a name without occurrences: it adds definitions of similar names.
func (f *finder) like(ctx context.Context, out api.SymbolResults) (api.SymbolResults, error) {
	words, rows, err := f.r.Like(ctx, f.name, maxLike)
	if err != nil {
		return out, err
	}
	own, err := f.look(ctx, answerTime, store.Names{All: []string{f.name}, Defined: true})
	if err != nil {
		return out, err
	}
	name := f.name
	f.queue, f.next, f.defined, f.name, f.read = nil, 0, 0, "", map[string]*file{}
	for _, row := range append(own.Rows, rows...) {
		known := slices.ContainsFunc(f.queue, func(h holder) bool { return h.path == row.Path })
		if len(f.queue) < maxLikeRows && !known && f.req.Allowed(row.Path) {
			f.queue = append(f.queue, holder{path: row.Path, language: row.Language})
		}
	}
	if err := f.readFiles(ctx, max(f.left(), answerTime/2)); err != nil {
		return out, err
	}
	var found []symbol.Candidate
	for _, c := range f.candidates() {
		n := normal(c.Name)
		if slices.Contains(words, n) || strings.Contains(n, normal(name)) {
			found = append(found, c)
		}
	}
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

// normal returns a name as the index stores it: in lower case, without underscores.
func normal(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
