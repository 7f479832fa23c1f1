package search

import "strings"

const (
	quoteLength = 4 // minimum number of words in a quotation; shorter ones are often idioms
	longWord    = 4 // minimum size of a long word in bytes
	fullQuote   = 8 // number of words in a quotation with the maximum score
)

// phrases contains the words of a query, and the sequences of quoteLength words without those of mostly short words.
type phrases struct {
	words     map[string]bool
	sequences map[[quoteLength]string]bool
}

func phrasesOf(query string) phrases {
	p := phrases{map[string]bool{}, map[[quoteLength]string]bool{}}
	words := nameParts(strings.ToLower(query))
	for i := 0; i+quoteLength <= len(words); i++ {
		long := 0
		for _, w := range words[i : i+quoteLength] {
			if len(w) >= longWord {
				long++
			}
		}
		if long <= quoteLength/2 {
			continue
		}
		p.sequences[[quoteLength]string(words[i:])] = true
		for _, w := range words[i : i+quoteLength] {
			p.words[w] = true
		}
	}
	return p
}

// in returns the score in [0,1] of the longest quotation in lines of text.
func (p phrases) in(lines []string) float64 {
	if len(p.sequences) == 0 {
		return 0
	}
	var last [quoteLength]string
	current, longest := 0, 0 // lengths in words of the quotation that ends here, and of the longest
	for _, line := range lines {
		for w := range strings.FieldsFuncSeq(line, isNameSeparator) {
			copy(last[:], last[1:])
			last[quoteLength-1] = strings.ToLower(w)
			if !p.words[last[quoteLength-1]] || !p.sequences[last] {
				current = 0
				continue
			}
			current = max(current+1, quoteLength)
			longest = max(longest, current)
		}
	}
	return min(1, float64(longest)/fullQuote)
}
