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
	Rows []Key
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
		for _, p := range all[:min(len(all), maxLookedUp)] {
			if len(popular) == limit {
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := visitRows(ctx, r, []string{p.Word}, FieldSymbols, time.Time{}, func(id []byte) error {
				k, err := parseKey(string(id))
				if err == nil && admit(k) {
					k, err = chunkOf(r, k)
					p.Rows = append(p.Rows, k)
				}
				return err
			}); err != nil {
				return err
			}
			if len(p.Rows) > 0 {
				popular = append(popular, p)
			}
		}
		return nil
	})
	return popular, err
}

// chunkOf returns the key of the chunk that contains the first line of a unit, or else the unit's key.
func chunkOf(r *scorch.IndexSnapshot, unit Key) (Key, error) {
	keys, err := appendKeys(nil, r, unit.Path)
	for _, k := range keys {
		if !k.IsUnit() && k.Hash == unit.Hash && k.Start <= unit.Start && unit.Start <= k.End {
			return k, err
		}
	}
	return unit, err
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
