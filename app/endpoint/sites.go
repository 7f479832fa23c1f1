package endpoint

import (
	"context"
	"fmt"
	"strings"

	"searchmcp/engine/api"
)

// siteResult is the answer of search_<prefix>.
type siteResult struct {
	Results      []api.SitePage `json:"results"`
	TotalResults int            `json:"totalResults"`
	notes
}

// shrink leaves pages out from the end.
func (r *siteResult) shrink(share float64) bool {
	if len(r.Results) == 0 {
		return false
	}
	r.Results = r.Results[:min(int(float64(len(r.Results))*share), len(r.Results)-1)]
	return true
}

// Limits of search_<prefix> (docs/specification.md#sites-decided).
const defaultSiteLimit, maxSiteLimit = 10, 50

// siteGroup is one site's tool. Its description is made of what the site says about itself.
func siteGroup(site api.Site) group {
	about := fmt.Sprintf("Search the pages of %s (%s).", site.Name, site.Domain)
	if d := strings.TrimSpace(site.Description); d != "" {
		if !strings.ContainsAny(d[len(d)-1:], ".!?") {
			d += "."
		}
		about += " " + d
	}
	return group{name: groupSites + "/" + site.Tool, tools: []tool{{
		name: site.Tool, title: "Search " + shorten(visible(site.Name), maxClientName),
		sentence: shorten(visible(about), maxDescription),
		more:     "Typing errors are forgiven.",
		schema: fmt.Sprintf(`{"type":"object","properties":{`+
			`"query":{"type":"string","description":"What to look for, in a few words"},`+
			`"limit":{"type":"integer","description":"Maximum number of results","default":%d,"minimum":1,"maximum":%d}},"required":["query"]}`,
			defaultSiteLimit, maxSiteLimit),
		params: []param{
			{name: "query", kind: kindString, required: true},
			{name: "limit", kind: kindNumber, min: 1, max: maxSiteLimit, def: defaultSiteLimit},
		},
		output: siteResult{}, readOnly: true, idempotent: true,
		run: func(ctx context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			c.activity.Query = c.args.text("query")
			pages, total, err := src.SearchSite(ctx, site.Tool, c.args.text("query"), c.args.number("limit"))
			if err != nil {
				return nil, err
			}
			c.activity.Results = len(pages)
			if pages == nil {
				pages = []api.SitePage{}
			}
			return &siteResult{Results: pages, TotalResults: total}, nil
		},
	}}}
}

// maxDescription keeps a site from filling an assistant's context with its own words.
const maxDescription = 500
