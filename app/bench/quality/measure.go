package quality

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"searchmcp/app/endpoint/tools"
	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// depth is the number of results that are evaluated, which is the product's default top_k.
const depth = api.DefaultTopK

// Found is the result of a stage for a question.
type Found struct {
	Files  []string // best first
	Answer []byte   // JSON in the format of search_code; nil if only Files are measured
	Best   float64  // the product's score of the first result
}

// rank returns the NDCG@10 of the files found, with a gain of 1 for each file that answers q, and the share of these
// files that are among the first ten.
func (q Question) rank(found []string) (ndcg, recall float64) {
	var files []string
	for _, f := range found[:min(depth, len(found))] {
		if !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	want := map[string]bool{}
	for _, t := range q.Answer {
		want[t.Path] = true
	}
	best := 0.0
	for i := range min(len(want), depth) {
		best += 1 / math.Log2(float64(i+2))
	}
	for i, f := range files {
		if want[f] {
			recall += 1 / float64(len(want))
			ndcg += 1 / math.Log2(float64(i+2)) / best
		}
	}
	return ndcg, recall
}

// located reports whether the relevant lines of a question are known, not only its files.
func (q Question) located(x *Index) bool {
	return slices.ContainsFunc(q.Answer, func(t Target) bool { return len(t.lines(x.files[t.Path])) > 0 })
}

// Stage is one of the compared methods of answering questions.
type Stage struct {
	Name string
	Find func(ctx context.Context, x *Index, q Question) (Found, error)
}

// Embedder computes the vectors of queries.
type Embedder = search.Embedder

// run searches the index like the product. Without e it searches by words only.
func (x *Index) run(ctx context.Context, q Question, e Embedder, detail api.Detail) (api.Results, api.Query, error) {
	req := request(q, e)
	req.Query.Detail = detail
	if e == nil {
		req.Query.LexicalOnly = true
	}
	if x.history != nil {
		req.History = x.history
	}
	ranked, err := search.Rank(ctx, x, req)
	if err != nil {
		return api.Results{}, req.Query, err
	}
	r := ranked.Results(true)
	answer.Shape(&r, req.Query)
	return r, req.Query, err
}

// ask returns the answer of the tool search_code.
func (x *Index) ask(ctx context.Context, q Question, e Embedder, detail api.Detail) (f Found, err error) {
	r, asked, err := x.run(ctx, q, e, detail)
	if err != nil {
		return f, err
	}
	for _, h := range r.Hits {
		f.Files, f.Best = append(f.Files, h.Path), max(f.Best, h.Score)
	}
	f.Answer, err = tools.SearchAnswer(r, asked)
	return f, err
}

// found runs a search and returns its files without an answer.
func (x *Index) found(ctx context.Context, from search.Reader, req search.Request) (f Found, err error) {
	if x.history != nil {
		req.History = x.history
	}
	ranked, err := search.Rank(ctx, from, req)
	if err != nil {
		return f, err
	}
	for _, h := range ranked.Results(true).Hits {
		f.Files, f.Best = append(f.Files, h.Path), max(f.Best, h.Score)
	}
	return f, err
}

// mixed is an index in which half of the chunks have vectors of the model, and the other half static vectors.
type mixed struct{ *Index }

// Nearest implements search.Reader.
func (m mixed) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int, f store.Filter) ([]store.VectorHit,
	error) {
	hits, err := m.Index.Nearest(ctx, corpus, v, 4*k, f)
	hits = slices.DeleteFunc(hits, func(h store.VectorHit) bool {
		return (crc32.ChecksumIEEE([]byte(h.ID))%2 == 0) == f.Static
	})
	return hits[:min(k, len(hits))], err
}

// baselineAnswer returns the hits of a baseline in the format of the product's answers.
func baselineAnswer(hits []api.Hit) (f Found, err error) {
	type result struct {
		Path      string `json:"path"`
		Text      string `json:"text"`
		StartLine int    `json:"startLine"`
		EndLine   int    `json:"endLine"`
	}
	all := struct {
		Results []result `json:"results"`
	}{Results: []result{}}
	for _, h := range hits {
		f.Files = append(f.Files, h.Path)
		all.Results = append(all.Results, result{h.Path, h.Text, h.StartLine, h.EndLine})
	}
	f.Answer, err = json.Marshal(all)
	return f, err
}

// Stages returns the baselines, the parts of the product, and the product itself as the last stage.
func Stages(e Embedder) []Stage {
	return []Stage{
		{"grep and reading", grep},
		{"windows by BM25", windows},
		{"words alone", func(ctx context.Context, x *Index, q Question) (f Found, err error) {
			hits, err := x.Text(ctx, q.Corpus(), store.TextQuery{Terms: text.Terms(q.Text), K: depth})
			for _, h := range hits {
				f.Files = append(f.Files, h.Path)
			}
			return f, err
		}},
		{"product by words", func(ctx context.Context, x *Index, q Question) (Found, error) {
			req := request(q, nil)
			req.Query.LexicalOnly = true
			return x.found(ctx, x, req)
		}},
		{"vectors alone", func(ctx context.Context, x *Index, q Question) (f Found, err error) {
			v, err := e.Query(ctx, q.Text)
			if err != nil {
				return f, fmt.Errorf("embed question: %w", err)
			}
			hits, err := x.Nearest(ctx, q.Corpus(), v, 2*depth, store.Filter{})
			for _, h := range hits {
				if h.EndLine > 0 { // not an outline
					f.Files = append(f.Files, h.Path)
				}
			}
			return f, err
		}},
		{"whole declarations", func(ctx context.Context, x *Index, q Question) (Found, error) {
			return x.ask(ctx, q, e, api.DetailFull)
		}},
		{"light", func(ctx context.Context, x *Index, q Question) (Found, error) {
			req := request(q, nil)
			req.Static, req.StaticCoverage, req.Light = x.table.Question, 1, true
			return x.found(ctx, x, req)
		}},
		{"half of each", func(ctx context.Context, x *Index, q Question) (Found, error) {
			req := request(q, e)
			req.Static, req.Coverage, req.StaticCoverage = x.table.Question, 0.5, 0.5
			return x.found(ctx, mixed{x}, req)
		}},
		{"search_code", func(ctx context.Context, x *Index, q Question) (Found, error) {
			return x.ask(ctx, q, e, api.DetailExcerpt)
		}},
	}
}

// Answered contains the figures of a question at a stage.
type Answered struct {
	Question     Question
	Stage        string
	NDCG, Recall float64
	Files        []string
	Best         float64
	located      bool
	reading
}

// Figures contains the figures of projects.
type Figures struct {
	answers  []Answered
	offTopic counts // off-topic requests
	lines    counts // paragraphs of manuals
}

// Add adds the figures of other projects.
func (f *Figures) Add(o Figures) {
	f.answers = append(f.answers, o.answers...)
	f.offTopic.add(o.offTopic)
	f.lines.add(o.lines)
}

// Measure asks all questions of a project at all stages. It also asks for paragraphs of its manuals, and makes the
// off-topic requests at the last stage.
func Measure(ctx context.Context, x *Index, e Embedder, stages []Stage) (f Figures, err error) {
	for _, q := range x.Project.Questions {
		for _, s := range stages {
			found, err := s.Find(ctx, x, q)
			if err != nil {
				return f, fmt.Errorf("%s, %s, question %q: %w", x.Project.Name, s.Name, q.Text, err)
			}
			a := Answered{Question: q, Stage: s.Name, Files: found.Files, Best: found.Best}
			a.NDCG, a.Recall = q.rank(found.Files)
			if found.Answer != nil && q.located(x) {
				a.located = true
				if a.reading, err = x.readBy(q, found.Answer); err != nil {
					return f, fmt.Errorf("%s, %s, question %q: %w", x.Project.Name, s.Name, q.Text, err)
				}
			}
			f.answers = append(f.answers, a)
		}
	}
	if f.lines, err = askManuals(ctx, x, e); err != nil {
		return f, err
	}
	f.offTopic, err = askOffTopic(ctx, x, stages[len(stages)-1])
	return f, err
}
