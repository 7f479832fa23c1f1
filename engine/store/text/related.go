package text

import "strings"

// endings are what words of one family differ by once their common beginning is taken off: parse, parser, parsing.
// Those that make another thing of a word (form, formal) are left out.
var endings = func() map[string]bool {
	m := map[string]bool{"": true}
	for _, e := range strings.Fields(`s es e ed d er r ers rs or ors ing ings ion ions ation ations ment ments able ible
		ance ence ization izing ized izer ize ative ive ies ied y ier ic ically ly ness tion ting te tor tors`) {
		m[e] = true
	}
	return m
}()

// minFamily is the number of letters that words of one family begin with alike: shorter beginnings join strangers.
const minFamily = 4

// Related reports whether two lower-case words are of one family: equal, or alike but for an English ending.
func Related(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n < minFamily {
		return false
	}
	return endings[single(a, n, a[n:])] && endings[single(b, n, b[n:])]
}

// single takes off the doubled letter of "stopped" where the rest of a word begins with it.
func single(w string, n int, rest string) string {
	if len(rest) > 1 && rest[0] == w[n-1] && endings[rest[1:]] {
		return rest[1:]
	}
	return rest
}
