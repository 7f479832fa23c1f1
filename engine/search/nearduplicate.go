package search

import (
	"hash/maphash"
	"math"
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

// nearDuplicates finds texts that share most of their lines with one it has seen. Of lines in a fixed order two such
// texts have one in common among the first of each, as many as may differ and one more (prefix filtering; Chaudhuri,
// Ganti, Kaushik 2006), so only these are looked up.
type nearDuplicates struct {
	seed  maphash.Seed
	texts [][]uint64       // of each text seen the hashes of its lines, ascending and distinct
	first map[uint64][]int // the numbers of the texts among whose first lines a hash is
}

func newNearDuplicates() *nearDuplicates {
	return &nearDuplicates{seed: maphash.MakeSeed(), first: map[uint64][]int{}}
}

// lines are the hashes of a text's lines, white space aside, ascending and distinct.
func (d *nearDuplicates) lines(text string) []uint64 {
	lines := make([]uint64, 0, 64)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) >= minLineLength {
			lines = append(lines, maphash.String(d.seed, line))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// find returns the number of the earlier text that one of these lines nearly duplicates, or -1. Only texts that are no
// duplicates themselves are numbered.
func (d *nearDuplicates) find(lines []uint64) int {
	first := lines[:min(len(lines), len(lines)-int(math.Ceil(minSharedLines*float64(len(lines))))+1)]
	for _, h := range first {
		for _, i := range d.first[h] {
			if float64(shared(lines, d.texts[i])) >= minSharedLines*float64(max(len(lines), len(d.texts[i]))) {
				return i
			}
		}
	}
	for _, h := range first {
		d.first[h] = append(d.first[h], len(d.texts))
	}
	d.texts = append(d.texts, lines)
	return -1
}

// shared is how many numbers two ascending lists have in common.
func shared(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b, n = a[1:], b[1:], n+1
		}
	}
	return n
}
