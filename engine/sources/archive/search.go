package archive

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
)

// Searcher searches archives, and caches the words of the archive searched last. It is safe for concurrent use.
type Searcher struct {
	mu    sync.Mutex
	path  string
	state header // state of the archive when its vocabulary was read
	words *fulltext.Vocabulary
	used  time.Time
}

func (s *Searcher) Unload(since time.Time) {
	s.mu.Lock()
	if s.used.Before(since) {
		s.words = nil
	}
	s.mu.Unlock()
}

func (s *Searcher) Search(ctx context.Context, path string, q api.ArchiveQuery) (*api.ArchiveAnswer, error) {
	q.Limit, q.Offset = min(max(1, q.Limit), api.MaxArchiveLimit), min(max(0, q.Offset), api.MaxArchiveOffset)
	q.CitationDepth = min(max(1, q.CitationDepth), api.MaxCitationDepth)
	h, err := examine(path)
	if err != nil {
		return nil, err
	}
	tx, done, err := openRead(ctx, path)
	if err != nil {
		return nil, err
	}
	defer done()
	r := &reading{ctx: ctx, tx: tx, read: map[string]citationList{}, titles: map[string]string{}}
	response := &api.ArchiveAnswer{Results: []api.ArchiveResult{}, Metadata: api.ArchiveMetadata{
		Query: q.Text, Fuzzy: q.Fuzzy, IncludeCitations: q.IncludeCitations, CitationDepth: q.CitationDepth, Limit: q.Limit,
		Offset: q.Offset,
	}}
	asked := parse(q.Text)
	if len(asked.terms) == 0 && !asked.filters() {
		return response, nil
	}
	var words *fulltext.Vocabulary
	if q.Fuzzy {
		if words, err = s.vocabulary(r, path, h); err != nil {
			return nil, err
		}
	}
	found, marked, err := r.find(asked, words, q.Offset+q.Limit+1) // one more than shown, to detect a next page
	if err != nil {
		return nil, fmt.Errorf("search archive: %w", err)
	}
	if found = found[min(q.Offset, len(found)):]; len(found) > q.Limit {
		found, response.Metadata.NextOffset = found[:q.Limit], q.Offset+q.Limit
	}
	for _, d := range found {
		response.Results = append(response.Results, api.ArchiveResult{
			Document: api.ArchiveDocument{ID: d.id, Title: d.title, Path: d.path, Source: d.source, Date: d.date, Score: d.score,
				File: d.file(), URL: d.url},
			Highlights: highlights(d, marked),
		})
	}
	response.Metadata.TotalResults = len(response.Results)
	if q.IncludeCitations && len(found) > 0 {
		if err := r.cite(response, q.CitationDepth); err != nil {
			return nil, fmt.Errorf("read citations: %w", err)
		}
	}
	return response, nil
}

func (s *Searcher) vocabulary(r *reading, path string, state header) (*fulltext.Vocabulary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
	if s.words != nil && s.path == path && s.state == state {
		return s.words, nil
	}
	rows, err := collect(r.ctx, r.tx, both[string, int], "SELECT term, doc FROM documents_words")
	if err != nil {
		return nil, fmt.Errorf("read words of archive: %w", err)
	}
	list := make(map[string]int, len(rows))
	for _, row := range rows {
		list[row.a] = row.b
	}
	s.path, s.state, s.words = path, state, fulltext.NewVocabulary(list)
	return s.words, nil
}

type reading struct {
	ctx    context.Context
	tx     *sql.Tx
	read   map[string]citationList
	titles map[string]string
}

type document struct {
	number                                 int64
	id, title, path, source, date, content string
	origin, url                            string
	score                                  float64
}

func (d document) file() string {
	return filepath.Join(filepath.Dir(d.origin), filepath.FromSlash(d.path))
}

// find returns the best matches, which may contain misspelt words and other forms of words. marked maps each word to
// highlight to its term.
func (r *reading) find(asked query, words *fulltext.Vocabulary, limit int) (found []document,
	marked map[string]int, err error) {
	terms := asked.terms
	if len(terms) == 0 { // the query has only filters
		found, err = r.newest(asked, limit)
		return found, nil, err
	}
	term := map[string]int{} // maps each matching word to the index of its term
	for i, t := range terms {
		list := []string{t}
		if words != nil {
			list = append(list, words.Expansions(t)...)
		}
		for _, w := range list {
			term[w] = i
		}
		if raw := asked.raw[t]; raw != "" {
			term[raw] = i
		}
	}
	match := expression(slices.Sorted(maps.Keys(term)))
	for len(found) < limit {
		block, err := r.match(match, asked, len(found))
		if err != nil {
			return nil, nil, err
		}
		rank(block, term, len(terms))
		for i := range block {
			if len(found) > 0 {
				block[i].score = min(block[i].score, found[len(found)-1].score)
			}
		}
		if found = append(found, block...); len(block) < candidates {
			break
		}
	}
	return found[:min(limit, len(found))], term, nil
}

// slope determines how much a document's length lowers its score (see Scores in engine/sources/named).
const slope = 0.2

// rank sorts list by TF-IDF. Document frequencies count only the documents in list.
func rank(list []document, term map[string]int, terms int) {
	counts, have, length := make([][]float64, len(list)), make([]float64, terms), 0.0
	for i, d := range list {
		counts[i] = make([]float64, terms)
		for w := range fulltext.EachWord(d.title + "\n" + d.beginning()) {
			if t, known := term[w.Text]; known {
				counts[i][t]++
			}
		}
		for t, n := range counts[i] {
			if n > 0 {
				have[t]++
			}
		}
		length += float64(len(d.content)) / float64(len(list))
	}
	for i := range list {
		d, sum := &list[i], 0.0
		for t, n := range counts[i] {
			if n > 0 {
				sum += math.Sqrt(n) * math.Log(1+float64(len(list))/have[t])
			}
		}
		sum /= 1 - slope + slope*float64(len(d.content))/max(1, length)
		d.score = math.Round(1e4*sum/(sum+halfScore)) / 1e4
	}
	slices.SortStableFunc(list, func(a, b document) int { return cmp.Compare(b.score, a.score) })
}

const halfScore = 3

func (d document) beginning() string {
	return strings.ToValidUTF8(d.content[:min(len(d.content), maxScanned)], "")
}

const candidates = 50

// expression returns an FTS5 query that matches any of the words, which are quoted: FTS5 parses OR as an operator.
func expression(words []string) string {
	for i, w := range words {
		words[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
	}
	return "(" + strings.Join(words, " OR ") + ")"
}

const titleWeight = 6.0

func (r *reading) match(match string, asked query, skip int) ([]document, error) {
	for _, phrase := range asked.phrases {
		match = "(" + match + `) AND "` + phrase + `"`
	}
	from, where, values := "documents_fts", "", []any(nil)
	if asked.filters() {
		from += " JOIN documents AS d ON d.number = documents_fts.rowid"
		where, values = asked.where()
	}
	numbers := `SELECT documents_fts.rowid FROM ` + from + ` WHERE documents_fts MATCH ?` + where + `
		ORDER BY bm25(documents_fts, ?, 1.0), documents_fts.rowid LIMIT ? OFFSET ?`
	return collect(r.ctx, r.tx, (*document).fields,
		"SELECT "+documentColumns+" WHERE d.number IN ("+numbers+") ORDER BY d.number",
		slices.Concat([]any{match}, values, []any{titleWeight, candidates, skip})...)
}

const documentColumns = "d.number, d.id, d.title, d.path, d.source, d.date, d.content, d.origin, " +
	"d.url FROM documents AS d"

func (d *document) fields() []any {
	return []any{&d.number, &d.id, &d.title, &d.path, &d.source, &d.date, &d.content, &d.origin, &d.url}
}
