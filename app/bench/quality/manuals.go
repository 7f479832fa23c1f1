package quality

import (
	"cmp"
	"context"
	"crypto/sha256"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

// Limits of the sentences that are asked for.
const (
	perManual   = 40  // of one project
	askedWords  = 7   // of a sentence
	docsTokens  = 800 // of an answer that is read
	minSentence = 80  // bytes of a paragraph
	maxParaLen  = 900 // a longer one no answer shows whole
)

// paragraph is a paragraph of a manual's own words.
type paragraph struct {
	path, text  string
	first, last int
}

var (
	longWord      = regexp.MustCompile(`\p{L}{4,}`)
	sentenceBegin = regexp.MustCompile("^[`\\p{L}]") // no heading, list, table or quotation
)

// askManuals asks a project's manuals for some of their paragraphs, chosen by a hash, by words out of their middle, and
// counts those of which search_docs prints lines.
func askManuals(ctx context.Context, x *Index, e Embedder) (m counts, err error) {
	key := func(p paragraph) string {
		sum := sha256.Sum256([]byte(p.text))
		return string(sum[:])
	}
	all := x.paragraphs()
	slices.SortFunc(all, func(a, b paragraph) int { return cmp.Compare(key(a), key(b)) })
	for _, p := range all[:min(len(all), perManual)] {
		words := longWord.FindAllString(strings.ToLower(p.text), -1)
		words = words[(len(words)-askedWords)/2:][:askedWords]
		found, err := x.ask(ctx, Question{Kind: "docs", Text: strings.Join(words, " ")}, e, api.DetailExcerpt)
		if err != nil {
			return m, err
		}
		pieces, err := x.pieces(found.Answer)
		if err != nil {
			return m, err
		}
		lines := 0
		for n := p.first; n <= p.last; n++ {
			if slices.ContainsFunc(pieces, func(o piece) bool {
				return o.path == p.path && o.printed[n] && o.tokens <= docsTokens
			}) {
				lines++
			}
		}
		m.asked++
		if lines > 0 {
			m.answered++
		}
		if lines == p.last-p.first+1 {
			m.whole++
		}
	}
	return m, nil
}

// paragraphs are those of the Markdown files of a project's documentation that are sentences.
func (x *Index) paragraphs() (all []paragraph) {
	for _, path := range x.paths[api.CorpusDocs] {
		if !strings.HasSuffix(path, ".md") {
			continue
		}
		var p paragraph
		fenced := false
		for i, line := range append(x.split(path), "") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if !fenced && sentenceBegin.MatchString(line) {
				if p.text == "" {
					p.path, p.first = path, i+1
				}
				p.text += line + "\n"
				p.last = i + 1
				continue
			}
			if line == "" && len(p.text) >= minSentence && len(p.text) <= maxParaLen &&
				len(longWord.FindAllString(p.text, -1)) >= 2*askedWords {
				all = append(all, p)
			}
			p = paragraph{}
		}
	}
	return all
}
