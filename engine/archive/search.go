package archive

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/fulltext"
)

// The nouns of a search, under their names here.
type (
	Query     = api.ArchiveQuery
	Response  = api.ArchiveAnswer
	Metadata  = api.ArchiveMetadata
	Result    = api.ArchiveResult
	Document  = api.ArchiveDocument
	Highlight = api.Highlight
	Citations = api.Citations
	Citation  = api.Citation
	Graph     = api.CitationGraph
	Node      = api.CitationNode
	Edge      = api.CitationEdge
	Report    = api.ArchiveReport
)

// Searcher searches archives. It keeps the words of the one it searched last, and no file open. It is safe for
// concurrent use.
type Searcher struct {
	mu    sync.Mutex
	path  string
	state header // of the archive when the words were read
	words *fulltext.Vocabulary
	used  time.Time // when the words were last asked for
}

// Unload gives the words up if they were not asked for since.
func (s *Searcher) Unload(since time.Time) {
	s.mu.Lock()
	if s.used.Before(since) {
		s.words = nil
	}
	s.mu.Unlock()
}

// Search searches the archive at path, read-only. A query without words finds nothing.
func (s *Searcher) Search(ctx context.Context, path string, q Query) (*Response, error) {
	q.Limit = min(max(1, q.Limit), api.MaxArchiveLimit)
	q.CitationDepth = min(max(1, q.CitationDepth), api.MaxCitationDepth)
	h, err := examine(path)
	if err != nil {
		return nil, err
	}
	db, err := openRead(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	// One transaction: document, citations and words are of one moment.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	r := &reading{ctx: ctx, tx: tx, statements: map[string]*sql.Stmt{}, read: map[string][]Citation{},
		titles: map[string]string{}}
	response := &Response{Results: []Result{}, Metadata: Metadata{
		Query: q.Text, Fuzzy: q.Fuzzy, IncludeCitations: q.IncludeCitations, CitationDepth: q.CitationDepth, Limit: q.Limit,
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
	found, marked, err := r.find(asked, words, q.Limit)
	if err != nil {
		return nil, fmt.Errorf("search archive: %w", err)
	}
	for _, d := range found {
		response.Results = append(response.Results, Result{
			Document: Document{ID: d.id, Title: d.title, Path: d.path, Source: d.source, Date: d.date, Score: d.score,
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

// vocabulary returns the archive's words, from memory as long as the archive is the same.
func (s *Searcher) vocabulary(r *reading, path string, state header) (*fulltext.Vocabulary, error) {
	s.mu.Lock()
	s.used = time.Now()
	if s.words != nil && s.path == path && s.state == state {
		defer s.mu.Unlock()
		return s.words, nil
	}
	s.mu.Unlock()
	rows, err := r.tx.QueryContext(r.ctx, "SELECT term, doc FROM documents_words")
	if err != nil {
		return nil, fmt.Errorf("read words of archive: %w", err)
	}
	defer rows.Close()
	list := map[string]int{}
	for rows.Next() {
		var term string
		var docs int
		if err := rows.Scan(&term, &docs); err != nil {
			return nil, fmt.Errorf("read words of archive: %w", err)
		}
		list[term] = docs
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read words of archive: %w", err)
	}
	words := fulltext.NewVocabulary(list)
	s.mu.Lock()
	s.path, s.state, s.words = path, state, words
	s.mu.Unlock()
	return words, nil
}

// reading is one search's transaction.
type reading struct {
	ctx        context.Context
	tx         *sql.Tx
	statements map[string]*sql.Stmt
	read       map[string][]Citation // by query and document
	titles     map[string]string     // of the documents that were met
}

type document struct {
	number                                 int64
	id, title, path, source, date, content string
	origin, url                            string
	score                                  float64
}

// file is the one that a document was read from: its path, without the address of a page in it.
func (d document) file() string {
	path := d.path
	for _, end := range []string{".warc", ".warc.gz"} {
		if i := strings.Index(strings.ToLower(path), end+pageMark); i >= 0 {
			path = path[:i+len(end)]
		}
	}
	return filepath.Join(filepath.Dir(d.origin), filepath.FromSlash(path))
}

// find looks for documents with any of the words, as they are written and in spite of typing errors and other forms, and
// orders them. marked are the words to show as found.
func (r *reading) find(asked query, words *fulltext.Vocabulary, limit int) (found []document, marked map[string]bool,
	err error) {
	marked = map[string]bool{}
	terms := asked.terms
	if len(terms) == 0 { // filters alone: the newest first
		found, err = r.newest(asked, limit)
		return found, marked, err
	}
	exact := make([][]string, len(terms))
	wide := make([][]string, len(terms))
	for i, t := range terms {
		exact[i], wide[i] = []string{t}, []string{t}
		marked[t] = true
		if words != nil {
			for _, m := range words.Expansions(t) {
				marked[m] = true
				wide[i] = append(wide[i], m)
			}
		}
	}
	queries := []string{expression(exact)}
	if words != nil {
		queries = append(queries, expression(wide))
	}
	known := map[int64]bool{}
	for _, match := range queries {
		more, err := r.match(match, asked, max(candidates, 2*limit))
		if err != nil {
			return nil, nil, err
		}
		for _, d := range more {
			if !known[d.number] {
				known[d.number] = true
				found = append(found, d)
			}
		}
	}
	return rank(found, terms, words != nil, limit), marked, nil
}

// candidates is how many documents FTS5 finds for each way to read a query. Its own order knows neither how much of the query a
// document has nor where the words stand together: the one that answers is among so many.
const candidates = 50

// rank orders candidates as documents and sites are ordered.
func rank(found []document, terms []string, fuzzy bool, limit int) []document {
	ix := fulltext.New(fulltext.Field{Name: "title", Weight: 0.5}, fulltext.Field{Name: "content", Weight: 0.5})
	byID := make(map[string]document, len(found))
	for _, d := range found {
		ix.Put(d.id, d.title, d.beginning())
		byID[d.id] = d
	}
	hits, _ := ix.Search(fulltext.Query{
		Text: strings.Join(terms, " "), Limit: limit, Exact: !fuzzy, NearHits: 2 * limit,
		Near: func(id string) []string { return []string{byID[id].beginning(), byID[id].title} },
	})
	out := make([]document, 0, len(hits))
	for _, h := range hits {
		d := byID[h.ID]
		d.score = h.Score
		out = append(out, d)
		delete(byID, h.ID)
	}
	for _, d := range found { // what FTS5 takes for the word and we don't
		if _, left := byID[d.id]; left && len(out) < limit {
			out = append(out, d)
		}
	}
	return out
}

// beginning is the part of a document's text that is looked at.
func (d document) beginning() string {
	n := min(len(d.content), maxScanned)
	for n < len(d.content) && n > 0 && !utf8.RuneStart(d.content[n]) {
		n--
	}
	return d.content[:n]
}

// expression is FTS5's for any of the words: every word quoted, so that no part of a query is an operator.
func expression(terms [][]string) string {
	var quoted []string
	for _, alternatives := range terms {
		for _, w := range alternatives {
			quoted = append(quoted, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
		}
	}
	slices.Sort(quoted)
	return "(" + strings.Join(slices.Compact(quoted), " OR ") + ")"
}

// titleWeight is how much more a word says in a title than in the text.
const titleWeight = 6.0

// match lists the best documents for an expression under the query's phrases and filters, by FTS5's order.
func (r *reading) match(match string, asked query, limit int) ([]document, error) {
	for _, phrase := range asked.phrases {
		match = "(" + match + `) AND "` + phrase + `"`
	}
	where, values := asked.where()
	// The ranking runs over row numbers only; texts are read for what is left.
	rows, err := r.tx.QueryContext(r.ctx, `SELECT d.number, d.id, d.title, d.path, d.source, d.date, d.content, d.origin, d.url
		FROM (SELECT documents_fts.rowid AS row, bm25(documents_fts, ?, 1.0) AS rank FROM documents_fts
			JOIN documents AS d ON d.number = documents_fts.rowid WHERE documents_fts MATCH ?`+where+`
			ORDER BY rank LIMIT ?) AS f JOIN documents AS d ON d.number = f.row ORDER BY f.rank, d.path`,
		slices.Concat([]any{titleWeight, match}, values, []any{limit})...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []document
	for rows.Next() {
		var d document
		if err := rows.Scan(&d.number, &d.id, &d.title, &d.path, &d.source, &d.date, &d.content, &d.origin, &d.url); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, rows.Err()
}
