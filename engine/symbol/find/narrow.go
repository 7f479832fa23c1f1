package find

import (
	"context"
	"path"
	"slices"

	"searchmcp/engine/symbol"
)

// Bounds of narrowing: files that a question means by its path, and further files from which on it pays.
const (
	maxMeant   = 8
	leastSpare = 8
)

// narrow reads the files that the question's path means, and leaves out of the queue those that cannot use what is
// defined there: hundreds of files have a main or an init of their own. Where any file can, those that name the type
// whose member it is come first.
func (f *finder) narrow(ctx context.Context) (read int, err error) {
	if f.req.Query.Path == "" || f.req.Matches == nil || f.req.Query.Text {
		return 0, nil
	}
	for read < len(f.queue) && f.req.Matches(f.queue[read].path) {
		read++
	}
	if read == 0 || read > maxMeant || len(f.queue) < read+leastSpare {
		return 0, nil
	}
	whole := f.queue
	f.queue = whole[:read:read]
	err = f.readFiles(ctx, f.name, 0)
	unread := f.unread
	f.queue, f.unread = whole, len(whole)-read+unread
	if err != nil || unread > 0 {
		return read, err
	}
	all := f.candidates()
	asked, note := f.asked(all)
	if len(asked) == 0 || note != "" {
		return read, nil
	}
	seen := make([]symbol.Visibility, len(asked))
	words := map[string]map[string]bool{} // by word, the files that have it
	for i, at := range asked {
		seen[i] = all[at].Visible(f.read[all[at].Path].Imports)
		if seen[i].File || seen[i].Folder {
			continue
		}
		if len(seen[i].Words) == 0 {
			return read, f.prefer(ctx, f.queue[read:], all[at].Owner())
		}
		for _, w := range seen[i].Words {
			if words[w] != nil {
				continue
			}
			rows, ok, err := f.r.Holding(ctx, w, false)
			if err != nil || !ok {
				return read, err
			}
			words[w] = map[string]bool{}
			for _, row := range rows {
				words[w][row.Path] = true
			}
		}
	}
	f.queue = whole[:read:read]
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
	return read, nil
}

// prefer puts files that have a word before the others.
func (f *finder) prefer(ctx context.Context, queue []holder, word string) error {
	if word == "" {
		return nil
	}
	rows, ok, err := f.r.Holding(ctx, word, false)
	if err != nil || !ok {
		return err
	}
	having := make(map[string]bool, len(rows))
	for _, row := range rows {
		having[row.Path] = true
	}
	slices.SortStableFunc(queue, func(a, b holder) int {
		switch {
		case having[a.path] == having[b.path]:
			return 0
		case having[a.path]:
			return -1
		}
		return 1
	})
	return nil
}
