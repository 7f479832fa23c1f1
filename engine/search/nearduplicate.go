package search

import (
	"hash/maphash"
	"slices"
	"strings"
)

const (
	// minSharedLines is the share of common lines from which chunks are near-duplicates: a copy with some words changed.
	// Similar functions share a third of their lines.
	minSharedLines = 0.85
	// minLineLength leaves out shorter lines: closing brackets and the like, which are everywhere.
	minLineLength = 5
)

// nearDuplicates is an inverted index of the lines of the chunks it has seen.
type nearDuplicates struct {
	seed  maphash.Seed
	lines map[uint64][]int // line hash → numbers of the chunks that have it
	sizes []int            // distinct lines of each chunk
	// scratch space of find
	current []uint64 // the chunk's line hashes
	shared  []int    // number of lines shared with each earlier chunk
}

func newNearDuplicates() *nearDuplicates {
	return &nearDuplicates{seed: maphash.MakeSeed(), lines: map[uint64][]int{}}
}

// find returns the number of the earlier text that a text nearly duplicates, white space aside, or -1. Only texts that
// are no duplicates themselves are numbered.
func (d *nearDuplicates) find(text string) int {
	d.current = d.current[:0]
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) >= minLineLength {
			d.current = append(d.current, maphash.String(d.seed, line))
		}
	}
	slices.Sort(d.current)
	d.current = slices.Compact(d.current)
	d.shared = append(d.shared[:0], make([]int, len(d.sizes))...)
	for _, h := range d.current {
		for _, i := range d.lines[h] {
			d.shared[i]++
			if float64(d.shared[i]) >= minSharedLines*float64(max(len(d.current), d.sizes[i])) {
				return i
			}
		}
	}
	for _, h := range d.current {
		d.lines[h] = append(d.lines[h], len(d.sizes))
	}
	d.sizes = append(d.sizes, len(d.current))
	return -1
}
