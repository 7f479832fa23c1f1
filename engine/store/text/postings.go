package text

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// postings finds the rows with a word in a field. Each goroutine must use other segments.
type postings []segmentPostings

type segmentPostings struct {
	words   segment.TermDictionary
	deleted *roaring.Bitmap
	list    segment.PostingsList // reused for the next word
	rows    segment.PostingsIterator
}

func newPostings(r *scorch.IndexSnapshot, field string) (postings, error) {
	var all postings
	for _, s := range r.Segments() {
		words, err := s.Segment().Dictionary(field)
		if err != nil {
			return nil, fmt.Errorf("read dictionary: %w", err)
		}
		all = append(all, segmentPostings{words: words, deleted: s.Deleted()})
	}
	return all, nil
}

func (p *segmentPostings) find(word string) (err error) {
	p.list, err = p.words.PostingsList([]byte(word), p.deleted, p.list)
	return err
}

// iterate returns the rows with word, with their frequencies and norms if scored is true. The iterator is valid until
// the next word.
func (p *segmentPostings) iterate(word string, scored bool) (segment.PostingsIterator, error) {
	if err := p.find(word); err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	p.rows = p.list.Iterator(scored, scored, false, p.rows)
	return p.rows, nil
}

// count returns the number of rows with word. The iterator of a dictionary returns 1 for every word after the first
// word with a single row (zapx v17.2.3, DictionaryIterator.Next).
func (all postings) count(word string) (int, error) {
	sum := uint64(0)
	for i := range all {
		if err := all[i].find(word); err != nil {
			return 0, fmt.Errorf("count rows: %w", err)
		}
		sum += all[i].list.Count()
	}
	return int(sum), nil
}
