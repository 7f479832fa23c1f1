package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"searchmcp/engine/api"
)

// Names is a look-up of rows that contain all of some names.
type Names struct {
	All     []string
	Defined bool       // only rows that define them
	Corpus  api.Corpus // "": the code
	Until   time.Time  // deadline, after which rows are omitted; zero: none
}

// FileList is the result of a look-up: at least one row of each file, without the row's ID, in no order.
type FileList struct {
	Rows []Key
	// Omitted is the approximate number of omitted files.
	Omitted int
	// Unknown is true if the index can't contain a name, because it is a stop word or a part is too long. Any file may
	// then contain the name.
	Unknown bool
}

// FilesWith returns the files that contain names as a whole. A name above the length limit of tokens is looked up by
// its parts, so some of its files may contain only these.
func (x *Index) FilesWith(ctx context.Context, n Names, admit func(Key) bool) (h FileList, err error) {
	f := FieldBody
	if n.Defined {
		f = FieldSymbols
	}
	var tokens []string
	for _, name := range n.All {
		more := lookUp(name, f)
		if len(more) == 0 {
			return FileList{Unknown: true}, nil
		}
		tokens = append(tokens, more...)
	}
	slices.Sort(tokens)
	tokens = slices.Compact(tokens)
	r, err := x.reader()
	if err != nil {
		return FileList{}, err
	}
	defer r.Close()
	err = x.guard("look up a name", func() (err error) {
		h, err = filesWith(ctx, r, tokens, f, n.Until, admit)
		return err
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrCorrupt) {
		err = fmt.Errorf("look up a name: %w: %w", ErrCorrupt, err)
	}
	return h, err
}

// lookUp returns the tokens that a row with the name has in a field. It returns none if the field cannot contain the
// name.
func lookUp(name string, f Field) []string {
	words := Analyse(name)
	if len(words) != 1 {
		return nil
	}
	w := words[0]
	if w.Whole == "" && len(name) <= maxRun {
		return slices.DeleteFunc(w.Parts, func(t string) bool { return f == FieldBody && isStop([]byte(t)) })
	}
	if w.Whole == "" || f == FieldBody && len(w.Parts) == 0 && isStop([]byte(w.Whole)) {
		return nil
	}
	return []string{w.Whole}
}

// filesWith returns rows that contain all tokens in a field. It returns only one of consecutive rows of the same file,
// because thousands of files may contain a name.
func filesWith(ctx context.Context, r *scorch.IndexSnapshot, tokens []string, f Field, until time.Time,
	admit func(Key) bool) (h FileList, err error) {
	var file []byte // of the previous row: path and hash of the content
	seen, err := visitRows(ctx, r, tokens, f, until, func(id []byte) error {
		if len(file) > 0 && bytes.HasPrefix(id, file) {
			return nil
		}
		k, _, ok := parsePlace(string(id))
		if !ok {
			return fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
		}
		file = append(append(append(append(file[:0], k.Path...), sep...), k.Hash...), sep...)
		if admit == nil || admit(k) {
			h.Rows = append(h.Rows, k)
		}
		return nil
	})
	if seen.left > 0 && seen.visited > 0 {
		h.Omitted = max(1, len(h.Rows)*int(seen.left)/int(seen.visited))
	}
	return h, err
}

// rowsPerCheck is the number of rows between two checks of the time, which take some 50 µs.
const rowsPerCheck = 1 << 8

// visits counts the rows that visitRows visited, and the maximum number of omitted rows.
type visits struct{ visited, left uint64 }

// visitRows visits the names of rows that contain all tokens in a field, until a time unless it is zero. The bytes
// are valid during the call only.
func visitRows(ctx context.Context, r *scorch.IndexSnapshot, tokens []string, f Field, until time.Time,
	visit func(id []byte) error) (seen visits, err error) {
	late := false
	for _, s := range r.Segments() {
		rows, err := rowsWithAll(s, tokens, f)
		if err != nil {
			return seen, err
		}
		if rows == nil {
			continue
		}
		n := uint64(0)
		for ; !late; n++ {
			if n%rowsPerCheck == rowsPerCheck-1 {
				if ctx.Err() != nil {
					return seen, context.Cause(ctx)
				}
				late = !until.IsZero() && time.Now().After(until)
			}
			number, ok, err := rows.next()
			if err != nil {
				return seen, err
			}
			if !ok {
				break
			}
			id, err := s.Segment().DocID(number)
			if err != nil {
				return seen, err
			}
			if err := visit(id); err != nil {
				return seen, err
			}
		}
		if seen.visited += n; late {
			seen.left += rows[0].count - min(n, rows[0].count)
		}
	}
	return seen, nil
}

// conjunction is the rows of a segment that are in all of its lists.
type conjunction []*postings

// postings is the rows of a segment with one token, in order.
type postings struct {
	segment.PostingsIterator
	count   uint64
	number  uint64
	started bool
}

// rowsWithAll returns the rows of a segment that contain all tokens in a field, rarest token first. It returns nil if
// the segment has no such row.
func rowsWithAll(s *scorch.SegmentSnapshot, tokens []string, f Field) (conjunction, error) {
	words, err := s.Segment().Dictionary(f.String())
	if err != nil {
		return nil, err
	}
	var c conjunction
	for _, t := range tokens {
		list, err := words.PostingsList([]byte(t), s.Deleted(), nil)
		if err != nil {
			return nil, err
		}
		n := list.Count()
		if n == 0 {
			return nil, nil
		}
		c = append(c, &postings{PostingsIterator: list.Iterator(false, false, false, nil), count: n})
	}
	slices.SortFunc(c, func(a, b *postings) int { return cmp.Compare(a.count, b.count) })
	return c, nil
}

func (c conjunction) next() (number uint64, ok bool, err error) {
	lead := c[0]
	ok, err = lead.take(lead.Next())
again:
	for ok && err == nil {
		for _, p := range c[1:] {
			if ok, err = p.advance(lead.number); !ok || err != nil {
				return 0, false, err
			}
			if p.number != lead.number {
				ok, err = lead.advance(p.number)
				continue again
			}
		}
		return lead.number, true, nil
	}
	return 0, false, err
}

// advance advances to the row with this number, or to the first row after it.
func (p *postings) advance(number uint64) (bool, error) {
	if p.started && p.number >= number {
		return true, nil
	}
	return p.take(p.Advance(number))
}

func (p *postings) take(at segment.Posting, err error) (bool, error) {
	if at == nil || err != nil {
		return false, err
	}
	p.number, p.started = at.Number(), true
	return true, nil
}

// Like returns up to limit words of defined names that begin with a name or, if none does, that are within one or
// two edits, and the rows that define them. The words are in the form of the index: lower case, without
// underscores.
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
		for term, err := range terms(r.FieldDictPrefix(FieldSymbols.String(), []byte(word))) {
			if err != nil {
				return err
			}
			if len(like) == limit {
				break
			}
			like = append(like, strings.Clone(term))
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
			more, err := filesWith(ctx, r, []string{w}, FieldSymbols, time.Time{}, admit)
			if err != nil {
				return err
			}
			keys = append(keys, more.Rows...)
		}
		return nil
	})
	return like, keys, err
}
