package translations

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Said says a sentence that comes from elsewhere, such as an error's, in a language: where it is one of ours word for
// word, and where it is one of those that hold names and figures. What is none of ours stays as it is.
func Said(l Language, s string) string {
	if Known(s) {
		return l.Text(Text(s))
	}
	for _, f := range forms() {
		if found := f.pattern.FindStringSubmatch(s); found != nil {
			args := make([]any, 0, len(found)-1)
			for _, part := range found[1:] {
				if strings.Contains(part, " ") { // a name of one word stays what it is, though we may have that word
					part = Said(l, part)
				}
				args = append(args, part)
			}
			return fmt.Sprintf(l.Text(f.text), args...)
		}
	}
	return s
}

// form is a sentence with places for names and figures.
type form struct {
	text    Text
	pattern *regexp.Regexp
}

// forms are the sentences with places, those with most words of their own first: the one that fits best is taken.
var forms = sync.OnceValue(func() []form {
	var all []form
	for _, s := range sentences {
		if strings.Contains(string(s), "%s") {
			all = append(all, form{s, pattern(s)})
		}
	}
	slices.SortStableFunc(all, func(a, b form) int { return cmp.Compare(own(b.text), own(a.text)) })
	return all
})

// pattern finds what stands in a sentence's places.
func pattern(s Text) *regexp.Regexp {
	parts := strings.Split(string(s), "%s")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(strings.ReplaceAll(p, "%%", "%"))
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, `(.+?)`) + `\z`)
}

// own is how much of a sentence is its own.
func own(s Text) int { return len(s) - len("%s")*strings.Count(string(s), "%s") }

// Clause is the first clause of what is said, without its full stop, for places that have room for one line.
func Clause(s string) string {
	s, _, _ = strings.Cut(s, "; ")
	s, _, _ = strings.Cut(s, ". ")
	return strings.TrimSuffix(s, ".")
}
