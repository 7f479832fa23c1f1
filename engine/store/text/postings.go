package text

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// dictionaries contains the dictionary of a field in each segment. Goroutines must not share it.
type dictionaries []segment.TermDictionary

func newDictionaries(r *scorch.IndexSnapshot, field string) (dictionaries, error) {
	var all dictionaries
	for _, s := range r.Segments() {
		words, err := s.Segment().Dictionary(field)
		if err != nil {
			return nil, fmt.Errorf("read dictionary: %w", err)
		}
		all = append(all, words)
	}
	return all, nil
}

// postings contains the rows with a word in each segment.
type postings []segment.PostingsList

// find returns the rows that contain word. It reuses lists, the result of an earlier call.
func (all dictionaries) find(r *scorch.IndexSnapshot, word string, lists postings) (postings, error) {
	if lists == nil {
		lists = make(postings, len(all))
	}
	for i, s := range r.Segments() {
		var err error
		if lists[i], err = all[i].PostingsList([]byte(word), s.Deleted(), lists[i]); err != nil {
			return nil, fmt.Errorf("read postings: %w", err)
		}
	}
	return lists, nil
}

// count returns the number of rows. The counts of zapx's dictionary iterator are wrong (v17.2.3,
// DictionaryIterator.Next).
func (lists postings) count() (sum int) {
	for _, l := range lists {
		sum += int(l.Count())
	}
	return sum
}

// rowsOf returns the rows in list. They may be in a mapped file and must not be changed.
func rowsOf(list segment.PostingsList) *roaring.Bitmap {
	it := list.Iterator(false, false, false, nil).(segment.OptimizablePostingsIterator) // zap returns no other type
	if number, ok := it.DocNum1Hit(); ok {                                              // the list contains one row
		return roaring.BitmapOf(uint32(number))
	}
	if rows := it.ActualBitmap(); rows != nil {
		return rows
	}
	return roaring.New()
}
