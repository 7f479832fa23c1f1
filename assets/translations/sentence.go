package translations

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sentence translates an English sentence from another package, such as an error's. It translates known sentences and
// sentences that match a form with names and figures. It returns other sentences unchanged.
func Sentence(l Language, s string) string {
	if Known(s) {
		return l.Text(Text(s))
	}
	for _, f := range forms() {
		if found := f.pattern.FindStringSubmatch(s); found != nil {
			args := make([]any, 0, len(found)-1)
			for _, part := range found[1:] {
				if strings.Contains(part, " ") { // keep a name of one word, even if it is a known word
					part = Sentence(l, part)
				}
				args = append(args, part)
			}
			return fmt.Sprintf(l.Text(f.text), args...)
		}
	}
	return s
}

type form struct {
	text    Text
	pattern *regexp.Regexp
}

// forms are the sentences with placeholders, longest own text first, so that the most specific one matches.
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

// pattern matches a sentence with any text in its placeholders.
func pattern(s Text) *regexp.Regexp {
	parts := strings.Split(string(s), "%s")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(strings.ReplaceAll(p, "%%", "%"))
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, `(.+?)`) + `\z`)
}

func own(s Text) int { return len(s) - len("%s")*strings.Count(string(s), "%s") }

// Clause returns the first clause of a sentence without its full stop, for single-line places.
func Clause(s string) string {
	s, _, _ = strings.Cut(s, "; ")
	s, _, _ = strings.Cut(s, ". ")
	return strings.TrimSuffix(s, ".")
}
