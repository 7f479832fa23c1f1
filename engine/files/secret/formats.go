package secret

import (
	_ "embed" // embeds the tables
	"strconv"
	"strings"
	"sync"
)

// gitleaksText and formatsText list formats of tokens, one per line.
var (
	//go:embed gitleaks.txt
	gitleaksText string
	//go:embed formats.txt
	formatsText string
)

type formats struct {
	tokens       []*rule  // formats of tokens
	services     []*rule  // formats of values of names such as "algolia"
	words        []string // no token contains one of these words
	placeholders []string // regular expressions of placeholders
}

var tokenFormats = sync.OnceValue(func() *formats {
	f, section := &formats{}, ""
	for line := range strings.Lines(gitleaksText + "\n" + formatsText) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			f.tokens[len(f.tokens)-1].expr += expand(line[1:])
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.Contains(line, "\t"):
			section = line
		case section == "[formats]":
			f.tokens = append(f.tokens, parseRule(line))
		case section == "[passwords]":
			r := parseRule(line)
			r.chosen = true
			f.tokens = append(f.tokens, r)
		case section == "[values]":
			f.services = append(f.services, parseRule(line))
		case section == "[words]":
			f.words = append(f.words, strings.Fields(line)...)
		default:
			f.placeholders = append(f.placeholders, line)
		}
	}
	return f
})

// parseRule parses the tab-separated fields of a rule.
func parseRule(line string) *rule {
	f := strings.Split(line, "\t")
	r := &rule{id: f[0], title: f[1], expr: expand(f[4]), allow: f[5:], quick: quick[f[0]]}
	for k := range strings.SplitSeq(strings.ReplaceAll(f[3], `\,`, "\x00"), ",") {
		r.keywords = append(r.keywords, strings.ReplaceAll(k, "\x00", ","))
	}
	r.entropy, _ = strconv.ParseFloat(f[2], 64) // empty if the rule has no minimum
	return r
}
