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

const (
	perManual   = 40  // paragraphs of a project
	askedWords  = 7   // words of a paragraph in a query
	docsTokens  = 800 // tokens of an answer that are read
	minSentence = 80  // minimum bytes of a paragraph
	maxParaLen  = 900 // maximum bytes of a paragraph; answers don't show longer ones fully
)

type paragraph struct {
	path, text  string
	first, last int // line numbers, from 1
}

var (
	longWord      = regexp.MustCompile(`\p{L}{4,}`)
	sentenceBegin = regexp.MustCompile("^[`\\p{L}]") // excludes headings, lists, tables and quotations
)

// askManuals searches a project's documentation for paragraphs, which are chosen by a hash, with words from their
// middle. It counts the paragraphs that search_docs shows partly and fully.
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

// paragraphs returns the paragraphs with sentences in the Markdown files of a project's documentation.
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
