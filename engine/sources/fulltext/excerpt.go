package fulltext

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Excerpt returns the part of text that contains the most of the given words. It is about width bytes long and cut at
// white space, and "..." marks each cut. If text contains none of the words, Excerpt returns its beginning.
func Excerpt(text string, words []string, width int) string {
	from, to := window(text, words, width)
	from, to = Trim(text, from, min(to, from+width/3), min(to, from+width/2), to)
	return Line(text, from, to)
}

// Trim shortens text[from:to] at both ends to white space, but keeps text[low:high]. It never cuts a character.
func Trim(text string, from, low, high, to int) (int, int) {
	if from > 0 {
		if i := strings.IndexAny(text[from:low], " \t\r\n"); i >= 0 {
			from += i + 1
		}
	}
	if to < len(text) {
		if i := strings.LastIndexAny(text[high:to], " \t\r\n"); i >= 0 {
			to = high + i
		}
	}
	for from < to && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > from && !utf8.RuneStart(text[to]) {
		to--
	}
	return from, to
}

func Line(text string, from, to int) string {
	s := strings.Join(strings.Fields(text[from:to]), " ")
	if from > 0 {
		s = "..." + s
	}
	if to < len(text) {
		s += "..."
	}
	return s
}

func Densest(text string, words []string, width int) int {
	from, to := window(text, words, width)
	for _, w := range Words(text[from:to]) {
		if slices.Contains(words, w.Text) {
			return from + w.Start
		}
	}
	return from
}

// window returns the part of text, at most width bytes long, that contains the most of the given words.
func window(text string, words []string, width int) (from, to int) {
	if len(text) <= width {
		return 0, len(text)
	}
	var places []Word
	for _, w := range Words(text) {
		if slices.Contains(words, w.Text) {
			places = append(places, w)
		}
	}
	if len(places) == 0 {
		return 0, width
	}
	bestAt, bestEnd, bestScore := 0, 0, -1
	counts := map[string]int{}
	j := 0
	for i := range places {
		for j < len(places) && (j == i || places[j].End-places[i].Start <= width*2/3) {
			counts[places[j].Text]++
			j++
		}
		if score := len(counts)*1000 + min(999, j-i); score > bestScore {
			bestAt, bestEnd, bestScore = i, j-1, score
		}
		if counts[places[i].Text]--; counts[places[i].Text] == 0 {
			delete(counts, places[i].Text)
		}
	}
	slack := max(0, width-(places[bestEnd].End-places[bestAt].Start))
	from = max(0, places[bestAt].Start-slack/2)
	to = min(len(text), from+width)
	return max(0, to-width), to
}
