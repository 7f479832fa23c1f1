package main

import (
	"context"
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
