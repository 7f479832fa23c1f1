package archive

import (
	"cmp"
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
	"searchmcp/engine/sources/fulltext"
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
	q.Limit, q.Offset = min(max(1, q.Limit), api.MaxArchiveLimit), min(max(0, q.Offset), api.MaxArchiveOffset)
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
	r := &reading{ctx: ctx, tx: tx, statements: map[string]*sql.Stmt{}, read: map[string]citationList{},
		titles: map[string]string{}}
	response := &Response{Results: []Result{}, Metadata: Metadata{
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
	found, marked, err := r.find(asked, words, q.Offset+q.Limit+1) // one more tells whether there is a next page
	if err != nil {
		return nil, fmt.Errorf("search archive: %w", err)
	}
	if found = found[min(q.Offset, len(found)):]; len(found) > q.Limit {
		found, response.Metadata.NextOffset = found[:q.Limit], q.Offset+q.Limit
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

// reading is one search's transaction.
type reading struct {
	ctx        context.Context
	tx         *sql.Tx
	statements map[string]*sql.Stmt
	read       map[string]citationList // by query and document
	titles     map[string]string       // of the documents that were met
}

type document struct {
	number                                 int64
	id, title, path, source, date, content string
	origin, url                            string
	score                                  float64
}

// file returns the path of the file that a document was read from.
func (d document) file() string {
	return filepath.Join(filepath.Dir(d.origin), filepath.FromSlash(d.path))
}

// find looks for documents with any of the words, as they are written and in spite of typing errors and other forms,
// and orders them, at most so many. marked are the words to show as found.
func (r *reading) find(asked query, words *fulltext.Vocabulary, most int) (found []document, marked *fulltext.Set,
	err error) {
	terms := asked.terms
	if len(terms) == 0 { // filters alone: the newest first
		found, err = r.newest(asked, most)
		return found, fulltext.NewSet(slices.Values(terms)), err
	}
	exact := make([][]string, len(terms))
	wide := make([][]string, len(terms))
	for i, t := range terms {
		exact[i], wide[i] = []string{t}, []string{t}
		if words != nil {
			wide[i] = append(wide[i], words.Expansions(t)...)
		}
	}
	marked = fulltext.NewSet(slices.Values(slices.Concat(wide...)))
	for i, t := range terms {
		if raw := asked.raw[t]; raw != "" {
			exact[i], wide[i] = append(exact[i], raw), append(wide[i], raw)
		}
	}
	queries := []string{expression(exact)}
	if words != nil {
		queries = append(queries, expression(wide))
	}
	order := ranking{query: strings.Join(terms, " "), fuzzy: words != nil, words: marked}
	known := map[int64]bool{}
	for skip := 0; len(found) < most; skip += candidates {
		var next []int64
		for _, match := range queries {
			numbers, err := r.match(match, asked, skip)
			if err != nil {
				return nil, nil, err
			}
			for _, n := range numbers {
				if !known[n] {
					known[n] = true
					next = append(next, n)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		block, err := r.documents(next)
		if err != nil {
			return nil, nil, err
		}
		block = order.rank(block)
		if len(found) > 0 { // a page further on ranks below those before
			for i, last := range block {
				block[i].score = min(last.score, found[len(found)-1].score)
			}
		}
		found = append(found, block...)
	}
	return found[:min(len(found), most)], marked, nil
}

// candidates is how many documents FTS5 finds at a time for each way to read a query. Its own order knows neither how
// much of the query a document has nor where the words stand together: the one that answers is among so many. The
// number is the same whatever the limit is, so that pages go on where the one before has ended.
const candidates = 50

// near is the number of documents in which it counts that the words stand together.
const near = 2 * api.DefaultArchiveLimit

// ranking orders candidates as documents and sites are ordered.
type ranking struct {
	query string
	fuzzy bool
	words *fulltext.Set // of the query and what it may stand for; no others are looked at
}

func (k ranking) rank(found []document) []document {
	ix := fulltext.NewOf(k.words, 0.5, 0.5)
	byID := make(map[string]document, len(found))
	for _, d := range found {
		ix.Put(d.id, d.title, d.beginning())
		byID[d.id] = d
	}
	hits, _ := ix.Search(fulltext.Query{
		Text: k.query, Limit: len(found), Exact: !k.fuzzy, NearHits: near,
		Near: func(id string) []string { return []string{byID[id].beginning(), byID[id].title} },
	})
	out := make([]document, 0, len(found))
	for _, h := range hits {
		d := byID[h.ID]
		d.score = h.Score
		out = append(out, d)
		delete(byID, h.ID)
	}
	for _, d := range found { // what FTS5 takes for the word and we don't
		if _, left := byID[d.id]; left {
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

// match lists the next candidates for an expression under the query's phrases and filters, by FTS5's order.
func (r *reading) match(match string, asked query, skip int) ([]int64, error) {
	for _, phrase := range asked.phrases {
		match = "(" + match + `) AND "` + phrase + `"`
	}
	from, where, values := "documents_fts", "", []any(nil)
	if asked.filters() {
		from += " JOIN documents AS d ON d.number = documents_fts.rowid"
		where, values = asked.where()
	}
	// Row numbers only: most candidates are found in several ways, and their texts are read once.
	return collect(r.ctx, r.tx, self[int64],
		`SELECT documents_fts.rowid FROM `+from+` WHERE documents_fts MATCH ?`+where+`
		ORDER BY bm25(documents_fts, ?, 1.0), documents_fts.rowid LIMIT ? OFFSET ?`,
		slices.Concat([]any{match}, values, []any{titleWeight, candidates, skip})...)
}

const documentColumns = "d.number, d.id, d.title, d.path, d.source, d.date, d.content, d.origin, " +
	"d.url FROM documents AS d"

func (d *document) fields() []any {
	return []any{&d.number, &d.id, &d.title, &d.path, &d.source, &d.date, &d.content, &d.origin, &d.url}
}

// documents reads some by their numbers, in that order.
func (r *reading) documents(numbers []int64) ([]document, error) {
	marks, values := strings.TrimPrefix(strings.Repeat(",?", len(numbers)), ","), make([]any, len(numbers))
	place := make(map[int64]int, len(numbers))
	for i, n := range numbers {
		values[i], place[n] = n, i
	}
	list, err := collect(r.ctx, r.tx, (*document).fields,
		"SELECT "+documentColumns+" WHERE d.number IN ("+marks+")", values...)
	slices.SortFunc(list, func(a, b document) int { return cmp.Compare(place[a.number], place[b.number]) })
	return list, err
}
