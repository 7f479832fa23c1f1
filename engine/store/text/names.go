package text

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"searchmcp/engine/api"
)

// Names is a query for rows that contain all of several names.
type Names struct {
	All     []string
	Defined bool       // only rows that define the names
	Corpus  api.Corpus // "" means api.CorpusCode
	Until   time.Time  // deadline after which files are omitted; zero means no deadline
}

// FileList is the result of a query for Names, in no order.
type FileList struct {
	Rows []Key // at least one of each file
	// Omitted is the approximate number of files omitted because of the deadline.
	Omitted int
	// Unknown is true if the index can't find one of the names, such as a stop word. Any file may contain that name.
	Unknown bool
}

// FilesWith returns the files that contain all names of n. For a very long name, the result may include files that
// contain only its parts.
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
	if len(tokens) == 0 {
		return FileList{Unknown: true}, nil
	}
	slices.Sort(tokens)
	tokens = slices.Compact(tokens)
	err = x.read(ctx, "look up a name", func(r *scorch.IndexSnapshot) (err error) {
		h, err = filesWith(ctx, r, tokens, f, n.Until, admit)
		return err
	})
	return h, err
}

// lookUp returns the tokens to look up for name in field f.
func lookUp(name string, f Field) []string {
	words := Analyse(name)
	if len(words) != 1 {
		return nil
	}
	w := words[0]
	if w.Whole == "" && len(name) <= maxRun {
		return slices.DeleteFunc(w.Parts, func(t string) bool { return f == FieldBody && isStop([]byte(t)) })
	}
	if w.Whole == "" || f == FieldBody && len(w.Parts) == 1 && isStop([]byte(w.Whole)) {
		return nil
	}
	return []string{w.Whole}
}

func filesWith(ctx context.Context, r *scorch.IndexSnapshot, tokens []string, f Field, until time.Time,
	admit func(Key) bool) (h FileList, err error) {
	var file []byte // path and content hash of the previous row
	seen, err := visitRows(ctx, r, tokens, f, until, func(_ uint64, id []byte) error {
		if len(file) > 0 && bytes.HasPrefix(id, file) {
			return nil
		}
		k, err := parseKey(string(id))
		if err != nil {
			return err
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

const rowsPerCheck = 1 << 8 // number of rows between two checks of the time

type visits struct{ visited, left uint64 }

// visitRows visits the numbers and keys of rows whose field f contains all tokens, until the deadline. id is valid only
// during the call.
func visitRows(ctx context.Context, r *scorch.IndexSnapshot, tokens []string, f Field, until time.Time,
	visit func(number uint64, id []byte) error) (seen visits, err error) {
	late := false
	words, err := newDictionaries(r, f.String())
	if err != nil {
		return seen, err
	}
	lists := make([]postings, len(tokens))
	for i, t := range tokens {
		if lists[i], err = words.find(r, t, nil); err != nil {
			return seen, err
		}
	}
	starts := newRows(r).starts
	for i, s := range r.Segments() {
		rows := rowsOf(lists[0][i])
		for _, more := range lists[1:] {
			rows = roaring.And(rows, rowsOf(more[i]))
		}
		left := rows.GetCardinality()
		for it := rows.Iterator(); it.HasNext() && !late; left-- {
			if seen.visited++; seen.visited%rowsPerCheck == 0 {
				if ctx.Err() != nil {
					return seen, ctx.Err()
				}
				late = !until.IsZero() && time.Now().After(until)
			}
			number := uint64(it.Next())
			id, err := s.Segment().DocID(number)
			if err != nil {
				return seen, err
			}
			if err := visit(starts[i]+number, id); err != nil {
				return seen, err
			}
		}
		seen.left += left
	}
	return seen, nil
}

// Like returns up to limit defined names that begin with name, and the rows that define them. If there are none, Like
// returns names that differ from name by one or two edits. The returned names are lower-case, without underscores.
func (x *Index) Like(ctx context.Context, name string, limit int, admit func(Key) bool) (like []string,
	keys []Key, err error) {
	words := Analyse(name)
	if len(words) != 1 || words[0].Whole == "" {
		return nil, nil, nil
	}
	err = x.read(ctx, "look up names like one", func(r *scorch.IndexSnapshot) error {
		s, err := newSearch(r, Query{Fuzzy: true})
		if err != nil {
			return err
		}
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
