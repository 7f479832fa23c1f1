package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type siteParams struct {
	Query string `json:"query" arg:"required" doc:"What to look for, in a few words"`
	Limit int    `json:"limit" arg:"integer,1..50,bounded" default:"10" doc:"Maximum number of results"`
}

type siteResult struct {
	Results      []api.SitePage `json:"results"`
	TotalResults int            `json:"totalResults"`
	notes
	size
}

// maxDescription limits a site's description, in characters, because every assistant's context contains it.
const maxDescription = 500

func searchSite(site api.Site) tool {
	about := fmt.Sprintf("Search the pages of %s (%s).", display.Name(site.Name), display.Name(site.Domain))
	if d := strings.Join(strings.Fields(site.Description), " "); d != "" {
		if !strings.ContainsAny(d[len(d)-1:], ".!?") {
			d += "."
		}
		about += " " + d
	}
	return define(tool{
		name: site.Tool, title: "Search " + display.Name(site.Name),
		sentence: display.Shorten(display.Visible(about), maxDescription),
		more:     "Typos are corrected.",
		output:   siteResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a siteParams) (any, error) {
		c.activity.Query = a.Query
		pages, total, err := c.engine.SearchSite(ctx, site.Tool, a.Query, a.Limit)
		if err != nil {
			return nil, err
		}
		c.activity.Results = len(pages)
		if pages == nil {
			pages = []api.SitePage{}
		}
		r := &siteResult{Results: pages, TotalResults: total}
		r.size = size{api.MaxResult, func() {
			if left := len(pages) - len(r.Results); left > 0 {
				r.addNote(fmt.Sprintf("%d more results don't fit into one answer. "+
					"Request fewer results or a more precise query.", left))
			}
		}}
		return r, nil
	})
}

// leastAbstract is the minimum length of a shortened abstract in characters.
const leastAbstract = 150

func (r *siteResult) shrink(share float64) bool {
	shortened := false
	for i := range r.Results {
		if p := &r.Results[i]; utf8.RuneCountInString(p.Abstract) > leastAbstract {
			p.Abstract, shortened = display.Shorten(p.Abstract, leastAbstract), true
		}
	}
	if shortened {
		r.addNote("Long abstracts are shortened in this answer.")
		return true
	}
	return drop(share, to(0, &r.Results))
}
