package text

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// postings finds the rows that contain a word in one field. Goroutines must not share a segment.
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

// iterate returns the rows that contain word, with their frequencies and norms if scored is true. The iterator is valid
// until the next call.
func (p *segmentPostings) iterate(word string, scored bool) (segment.PostingsIterator, error) {
	if err := p.find(word); err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	p.rows = p.list.Iterator(scored, scored, false, p.rows)
	return p.rows, nil
}

// count returns the number of rows that contain word. The counts of zapx's dictionary iterator are wrong (v17.2.3,
// DictionaryIterator.Next).
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
