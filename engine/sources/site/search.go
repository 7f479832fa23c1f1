package site

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
	"searchmcp/engine/sources/site/schema"
)

const excerptBytes = 240

type searchable struct {
	site  schema.Site
	pages []schema.Page
	words *fulltext.Index
}

// newSearchable indexes the pages of a site with the weights of docs/specification.md#search-of-a-site.
func newSearchable(x *schema.Index) *searchable {
	s := &searchable{site: x.Meta(), pages: x.Pages, words: fulltext.New(0.35, 0.30, 0.20, 0.15)}
	for i, p := range x.Pages {
		s.words.Put(strconv.Itoa(i), p.Body, p.Title, p.Abstract, strings.Join(p.Topics, " "))
	}
	return s
}

func (s *searchable) search(ctx context.Context, query string, limit int) (results []api.SitePage, total int,
	err error) {
	hits, total, err := s.words.Search(ctx, fulltext.Query{Text: query, Limit: limit})
	if err != nil {
		return nil, 0, err
	}
	results = make([]api.SitePage, 0, len(hits))
	for _, h := range hits {
		n, _ := strconv.Atoi(h.ID)
		p := s.pages[n]
		r := api.SitePage{
			URL: s.site.Absolute(p.URL), Title: p.Title, Abstract: p.Abstract, Date: p.Date,
			Topics: append([]string{}, p.Topics...), Score: h.Score,
			Excerpt: fulltext.Excerpt(cmp.Or(p.Body, p.Abstract, p.Title), h.Words, excerptBytes),
		}
		if under := heading(p, fulltext.Densest(p.Body, h.Words, excerptBytes)); under != nil {
			r.Section, r.SectionURL = under.Text, r.URL+"#"+(&url.URL{Fragment: under.Anchor}).EscapedFragment()
		}
		results = append(results, r)
	}
	return results, total, nil
}

// heading returns the last heading before an offset in the body, except the first, which is usually the page's title.
func heading(p schema.Page, at int) *schema.Heading {
	for i, h := range slices.Backward(p.Headings) {
		if i > 0 && h.At <= at {
			return &h
		}
	}
	return nil
}
