package find

import (
	"context"
	"maps"
	"path"
	"slices"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// Bounds of narrowing: files that a question means by its path, and further files from which on it pays.
const (
	maxMeant   = 8
	leastSpare = 8
)

// narrow reads the files that the question's path means, and leaves out of the queue those that cannot use what is
// defined there: hundreds of files have a main or an init of their own. Where any file can, those that name the type
// whose member it is come first.
func (f *finder) narrow(ctx context.Context) error {
	if f.req.Query.Path == "" || f.req.Matches == nil || f.req.Query.Text {
		return nil
	}
	read := 0
	for read < len(f.queue) && f.req.Matches(f.queue[read].path) {
		read++
	}
	if read == 0 || read > maxMeant || len(f.queue) < read+leastSpare {
		return nil
	}
	whole := f.queue
	f.queue = whole[:read:read]
	err := f.readFiles(ctx, f.name, f.left()/2)
	f.queue = whole
	if err != nil || f.done < read {
		return err
	}
	all := f.candidates()
	asked, note := f.asked(all)
	if len(asked) == 0 || note != "" {
		return nil
	}
	if !f.req.Query.Uses {
		f.queue = whole[:read]
		return nil
	}
	f.queue = append(whole[:read:read], sameFamily(whole[read:], all, asked)...)
	seen := make([]symbol.Visibility, len(asked))
	words := map[string]map[string]bool{} // by word, the files that have it
	for i, at := range asked {
		c := &all[at]
		seen[i] = c.Visible(f.read[c.Path].Imports)
		if seen[i].File {
			continue
		}
		if f.rest > 0 {
			f.list(f.below(path.Dir(c.Path)), c.Path)
		}
		if seen[i].Folder {
			continue
		}
		if len(seen[i].Words) == 0 {
			return f.prefer(ctx, read, c.Owner())
		}
		for _, w := range seen[i].Words {
			if words[w] != nil {
				continue
			}
			if words[w], err = f.having(ctx, w); err != nil || words[w] == nil {
				return err
			}
		}
	}
	whole, f.queue = f.queue, f.queue[:read:read]
	anywhere := false
	for _, v := range seen {
		anywhere = anywhere || !v.File && !v.Folder
	}
	if !anywhere {
		f.rest = 0
	}
	for _, h := range whole[read:] {
		for i, at := range asked {
			own := all[at].Path
			may := h.path == own || !seen[i].File && path.Dir(h.path) == path.Dir(own)
			for _, w := range seen[i].Words {
				may = may || words[w][h.path]
			}
			if may {
				f.queue = append(f.queue, h)
				break
			}
		}
	}
	return nil
}

// list adds files that may hold the name and that there was no time to list.
func (f *finder) list(paths []string, but string) {
	known := make(map[string]bool, len(f.queue))
	for _, h := range f.queue {
		known[h.path] = true
	}
	for _, p := range paths {
		if p != but && !known[p] {
			f.queue = append(f.queue, holder{path: p})
		}
	}
}

// having are the files that have a word, those that hold the name beside it put into the queue where it is not whole.
// nil: any file may have it, or there was no time to list them.
func (f *finder) having(ctx context.Context, word string) (map[string]bool, error) {
	held, err := f.look(ctx, 2*listTime, store.Names{All: []string{word}})
	if err != nil || held.Unknown || held.Rest > 0 {
		return nil, err
	}
	out := make(map[string]bool, len(held.Rows))
	for _, row := range held.Rows {
		out[row.Path] = true
	}
	if f.rest > 0 {
		f.list(slices.Collect(maps.Keys(out)), "")
	}
	return out, nil
}

// sameFamily leaves out the files whose language uses none of what is asked for: see symbol.Family.
func sameFamily(queue []holder, all []symbol.Candidate, asked []int) []holder {
	families := map[string]bool{}
	for _, at := range asked {
		families[symbol.Family(all[at].Language)] = true
	}
	out := make([]holder, 0, len(queue))
	for _, h := range queue {
		language := h.language
		if language == "" {
			language = chunk.Language(h.path, nil)
		}
		if language == "" || chunk.Template(language) || families[symbol.Family(language)] {
			out = append(out, h)
		}
	}
	return out
}

// prefer puts files that have a word before the others behind those that were read.
func (f *finder) prefer(ctx context.Context, read int, word string) error {
	if word == "" {
		return nil
	}
	having, err := f.having(ctx, word)
	if err != nil || having == nil {
		return err
	}
	slices.SortStableFunc(f.queue[read:], func(a, b holder) int { return falseFirst(having[b.path], having[a.path]) })
	return nil
}
