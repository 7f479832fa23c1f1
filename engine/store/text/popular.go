package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// Popular is a word of defined names that many rows have.
type Popular struct {
	Word string
	Uses int   // rows that have it, those that define it left out
	Rows []Key // that define it
}

const (
	// manyDefinitions is how often a name may be defined and still lead to one of its places: what is defined oftener
	// (get, name, a word of many names) says little of each.
	manyDefinitions = 3
	shortName       = 3 // letters below which a word is no telling name
	leastUses       = 2 // rows that use it
	maxLookedUp     = 20_000
)

// Popular lists words of defined names by how many rows use them, most first, until those of limit words have rows that
// admit accepts.
func (x *Index) Popular(ctx context.Context, limit int, admit func(Key) bool) (popular []Popular, err error) {
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = x.guard("list popular names", func() error {
		all, err := used(ctx, r)
		if err != nil {
			return err
		}
		for _, p := range all[:min(len(all), maxLookedUp)] {
			if len(popular) == limit {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := holding(ctx, r, p.Word, FieldSymbols, func(k Key) {
				if admit(k) {
					p.Rows = append(p.Rows, k)
				}
			}); err != nil {
				return err
			}
			if len(p.Rows) > 0 {
				popular = append(popular, p)
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrCorrupt) {
		err = fmt.Errorf("list popular names: %w: %w", ErrCorrupt, err)
	}
	return popular, err
}

// used lists the words of few definitions and several uses, most used first. Both dictionaries are in order, so one pass
// over each does.
func used(ctx context.Context, r index.IndexReader) (all []Popular, err error) {
	defined, err := r.FieldDict(FieldSymbols.String())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, defined.Close()) }()
	body, err := r.FieldDict(FieldBody.String())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	b, err := body.Next()
	for n := 0; err == nil; n++ {
		if n%checkEvery == checkEvery-1 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var d *index.DictEntry
		if d, err = defined.Next(); err != nil || d == nil {
			break
		}
		for err == nil && b != nil && b.Term < d.Term {
			b, err = body.Next()
		}
		if err != nil || b == nil {
			break
		}
		uses := int(b.Count) - int(d.Count)
		if b.Term == d.Term && d.Count <= manyDefinitions && uses >= leastUses && len(d.Term) > shortName {
			all = append(all, Popular{Word: strings.Clone(d.Term), Uses: uses})
		}
	}
	slices.SortFunc(all, func(a, b Popular) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Word, b.Word))
	})
	return all, err
}
