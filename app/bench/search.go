package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
)

// questions are typical queries: descriptions, symbols and error messages.
var questions = []string{
	"retry a request with growing pauses", "where are credentials loaded from",
	"watch for changes and resume after disconnect",
	"SharedInformerFactory", "NewForConfig", "leader election lease", "connection refused", "rate limiter",
	"convert object to unstructured", "how does the cache store objects by key", "exec into a container stream",
}

func question(text string, lexical bool) api.Query {
	return api.Query{Text: text, Corpus: api.CorpusCode, TopK: api.DefaultTopK, LexicalOnly: lexical}
}

// longWords is the number of words of a long query.
const longWords = 40

// longQuestions returns the first words of up to n comments of at least longWords words in the Go files of dir.
func longQuestions(dir string, n int) (out []string, err error) {
	const everyFile = 29 // leaves 100 comments in files of all folders of Go's source
	files := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		if files++; files%everyFile != 0 || len(out) == n {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var words []string
		for line := range strings.Lines(string(source)) {
			if comment, ok := strings.CutPrefix(line, "// "); ok {
				words = append(words, strings.Fields(comment)...)
				continue
			}
			if len(words) >= longWords && !slices.Contains(words, "Copyright") {
				out = append(out, strings.Join(words[:longWords], " "))
				break
			}
			words = nil
		}
		return nil
	})
	return out, err
}

// searches measures all queries with and without vectors, in several rounds after a warm-up round. The keys of its
// samples begin with prefix.
func (p *process) searches(ctx context.Context, eng *engine.Engine, root, prefix string) error {
	rounds := 20
	if p.quick {
		rounds = 5
	}
	for key, lexical := range map[string]bool{"search": false, "lexical": true} {
		for round := range rounds + 1 {
			for _, q := range questions {
				began := time.Now()
				if _, err := eng.Search(ctx, []string{root}, question(q, lexical)); err != nil {
					return err
				}
				if round > 0 {
					p.millis(prefix+key, time.Since(began))
				}
			}
		}
	}
	return nil
}
