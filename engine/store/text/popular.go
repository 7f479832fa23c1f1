package text

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Popular is a name that many files use.
type Popular struct {
	Word string
	Uses int // rows that contain Word without defining it
	// Names maps the paths of files that define the name to its spelling there.
	Names map[string]string
}

const (
	manyDefinitions = 3 // names with more definitions, such as "get", carry little meaning
	shortName       = 3 // names of at most this length carry little meaning
	leastUses       = 2
	maxLookedUp     = 20_000
)

// Popular returns up to limit names that many files use, the most used first. At least one row that defines the name
// must pass admit.
func (x *Index) Popular(ctx context.Context, limit int, admit func(Key) bool) (popular []Popular, err error) {
	err = x.read(ctx, "list popular names", func(r *scorch.IndexSnapshot) error {
		all, err := used(ctx, r)
		if err != nil {
			return err
		}
		rows := newRows(r)
		for _, p := range all[:min(len(all), maxLookedUp)] {
			if len(popular) == limit {
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p.Names = map[string]string{}
			if _, err := visitRows(ctx, r, []string{p.Word}, FieldSymbols, time.Time{}, func(number uint64, id []byte) error {
				k, err := parseKey(string(id))
				if err != nil || !admit(k) {
					return err
				}
				u, err := rows.unitAt(number)
				for _, name := range u.Names {
					if slices.Contains(lookUp(name, FieldSymbols), p.Word) {
						p.Names[k.Path] = name
					}
				}
				return err
			}); err != nil {
				return err
			}
			if len(p.Names) > 0 {
				popular = append(popular, p)
			}
		}
		return nil
	})
	return popular, err
}

func used(ctx context.Context, r *scorch.IndexSnapshot) (all []Popular, err error) {
	symbols, err := newDictionaries(r, FieldSymbols.String())
	if err != nil {
		return nil, err
	}
	body, err := newDictionaries(r, FieldBody.String())
	if err != nil {
		return nil, err
	}
	n := 0
	var inBody, inSymbols postings
	for word, err := range terms(r.FieldDict(FieldSymbols.String())) {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if len(word) <= shortName {
			continue
		}
		if inBody, err = body.find(r, word, inBody); err != nil {
			return nil, err
		}
		if inBody.count() < leastUses {
			continue
		}
		if inSymbols, err = symbols.find(r, word, inSymbols); err != nil {
			return nil, err
		}
		defined := inSymbols.count()
		if uses := inBody.count() - defined; defined <= manyDefinitions && uses >= leastUses {
			all = append(all, Popular{Word: strings.Clone(word), Uses: uses})
		}
	}
	slices.SortFunc(all, func(a, b Popular) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Word, b.Word))
	})
	return all, nil
}
