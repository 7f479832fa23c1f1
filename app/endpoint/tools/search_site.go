package tools

import (
	"context"
	"fmt"
	"strings"

	"searchmcp/app/endpoint/words"
	"searchmcp/engine/api"
)

// Sites searches the sites that a person added.
type Sites interface {
	Sites() []api.Site
	SearchSite(ctx context.Context, tool, query string, limit int) (pages []api.SitePage, total int, err error)
}

// siteParams: file 000 gives no schema for these tools.
type siteParams struct {
	Query string `json:"query" arg:"required" doc:"What to look for, in a few words"`
	Limit int    `json:"limit" arg:"integer,1..50,bounded" default:"10" doc:"Maximum number of results"`
}

// siteResult is the answer of search_<prefix>.
type siteResult struct {
	Results      []api.SitePage `json:"results"`
	TotalResults int            `json:"totalResults"`
	notes
}

// maxDescription keeps a site from filling an assistant's context with its own words.
const maxDescription = 500

// siteGroup is one site's tool. Its description is made of what the site says about itself.
func siteGroup(sites Sites, site api.Site) group {
	about := fmt.Sprintf("Search the pages of %s (%s).", site.Name, site.Domain)
	if d := strings.TrimSpace(site.Description); d != "" {
		if !strings.ContainsAny(d[len(d)-1:], ".!?") {
			d += "."
		}
		about += " " + d
	}
	return group{name: SettingSites + "/" + site.Tool, tools: []tool{define(tool{
		name: site.Tool, title: "Search " + words.Name(site.Name),
		sentence: words.Shorten(words.Visible(about), maxDescription),
		more:     "Typing errors are forgiven.",
		output:   siteResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a siteParams) (any, error) {
		c.activity.Query = a.Query
		pages, total, err := sites.SearchSite(ctx, site.Tool, a.Query, a.Limit)
		if err != nil {
			return nil, err
		}
		c.activity.Results = len(pages)
		if pages == nil {
			pages = []api.SitePage{}
		}
		return &siteResult{Results: pages, TotalResults: total}, nil
	})}}
}

// shrink leaves pages out from the end.
func (r *siteResult) shrink(share float64) bool {
	if len(r.Results) == 0 {
		return false
	}
	r.Results = r.Results[:fewer(len(r.Results), share)]
	return true
}
