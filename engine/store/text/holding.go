package text

import (
	"context"
	"errors"
	"fmt"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// Holding lists the rows that hold a name as a whole, in no order: those that define it, or without defined all of
// them. The words of a name that is no word of the index (longer than a token may be, or a stop word) can't be looked
// up; ok is false then.
func (x *Index) Holding(ctx context.Context, name string, defined bool, admit func(Key) bool) (keys []Key,
	ok bool, err error) {
	words := Analyse(name)
	if len(words) != 1 || words[0].Whole == "" {
		return nil, false, nil
	}
	word := words[0].Whole
	fields := []Field{FieldSymbols}
	if !defined {
		if len(words[0].Parts) == 0 && isStop([]byte(word)) {
			return nil, false, nil
		}
		fields = []Field{FieldBody}
	}
	r, err := x.reader()
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	err = x.guard("look up a name", func() error {
		for _, f := range fields {
			if err := holding(ctx, r, word, f, func(k Key) {
				if admit == nil || admit(k) {
					keys = append(keys, k)
				}
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrCorrupt) {
		err = fmt.Errorf("look up a name: %w: %w", ErrCorrupt, err)
	}
	return keys, true, err
}

// holding visits the rows that hold a token in a field.
func holding(ctx context.Context, r index.IndexReader, token string, f Field, visit func(Key)) error {
	tr, err := r.TermFieldReader(ctx, []byte(token), f.String(), false, false, false)
	if err != nil {
		return err
	}
	var doc index.TermFieldDoc
	for n := 0; ; n++ {
		if n%checkEvery == checkEvery-1 && ctx.Err() != nil {
			return closeAfter(tr, context.Cause(ctx))
		}
		p, err := tr.Next(doc.Reset())
		if err != nil {
			return closeAfter(tr, err)
		}
		if p == nil {
			return tr.Close()
		}
		name, err := r.ExternalID(p.ID)
		if err != nil {
			return closeAfter(tr, err)
		}
		k, ok := parseKey(name)
		if !ok {
			return closeAfter(tr, fmt.Errorf("%w: row with a foreign name", ErrCorrupt))
		}
		visit(k)
	}
}

// Like lists up to limit words of defined names that begin with a name or, if none does, that are within a typing error
// or two of it, and the rows that define them. The words are in the form of the index: lower case, without underscores.
func (x *Index) Like(ctx context.Context, name string, limit int, admit func(Key) bool) (like []string,
	keys []Key, err error) {
	words := Analyse(name)
	if len(words) != 1 || words[0].Whole == "" {
		return nil, nil, nil
	}
	r, err := x.reader()
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	err = x.guard("look up names like one", func() error {
		s := search{x: x, r: r, q: Query{Fuzzy: true}, counts: map[string][NumFields]uint64{}}
		word := words[0].Whole
		d, err := r.FieldDictPrefix(FieldSymbols.String(), []byte(word))
		if err != nil {
			return err
		}
		for len(like) < limit {
			e, err := d.Next()
			if err != nil {
				return closeAfter(d, err)
			}
			if e == nil {
				break
			}
			like = append(like, strings.Clone(e.Term))
		}
		if err := d.Close(); err != nil {
			return err
		}
		if len(like) == 0 {
			more, err := s.widen(searchToken{text: word})
			if err != nil {
				return err
			}
			for _, t := range more[:min(len(more), limit)] {
				like = append(like, t.text)
			}
		}
		for _, w := range like {
			if err := holding(ctx, r, w, FieldSymbols, func(k Key) {
				if admit == nil || admit(k) {
					keys = append(keys, k)
				}
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return like, keys, err
}
