package present

import (
	"net/url"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// SharedLocation adds endpoint and region, unless they are empty, as parameters to the location of a shared index, such
// as s3://bucket/prefix.
func SharedLocation(location, endpoint, region string) string {
	location = strings.TrimSpace(location)
	more := url.Values{}
	for key, value := range map[string]string{"endpoint": endpoint, "region": region} {
		if value = strings.TrimSpace(value); value != "" {
			more.Set(key, value)
		}
	}
	switch {
	case len(more) == 0:
		return location
	case strings.Contains(location, "?"):
		return location + "&" + more.Encode()
	}
	return location + "?" + more.Encode()
}

func Location(location string) string {
	at, parameters, _ := strings.Cut(location, "?")
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return location
	}
	server, err := url.Parse(values.Get("endpoint"))
	if err != nil || server.Host == "" {
		return at
	}
	return T("%s on %s", at, server.Host)
}

func AskShared(p api.Project, location string) Question {
	return Question{
		Title:    T("Use a shared index for %s?", p.Name),
		Path:     Location(location),
		Sentence: T("Search MCP downloads the shared index from this storage and checks for a newer one four times an hour."),
		Note:     "Your changes stay on this computer and are searched in your own index.",
		Yes:      "Download index", No: cancel,
	}
}

func AskUnshared(p api.Project) Question {
	return Question{
		Title: T("Remove the shared index of %s?", p.Name),
		Sentence: T("Its files are then indexed on this computer. Nothing in the storage is changed, " +
			"and it is no longer contacted."),
		Yes: "Remove", No: cancel,
	}
}

func SharedState(s api.SharedIndex, now time.Time) (line string, urgent bool) {
	if s.Problem != "" {
		return Sentence(s.Problem), true
	}
	if s.Published.IsZero() {
		return T("not downloaded yet"), false
	}
	return Join(Count(s.Files, "file"), T("published %s", Ago(s.Published, now)), Sentence(s.Note)), false
}

type Documents struct {
	Source    api.DocumentSource
	Mark      Mark
	Line      string
	Urgent    bool
	Documents int
}

func DocumentsOf(d api.DocumentSource, p api.Project, now time.Time) Documents {
	v := Documents{Source: d, Mark: MarkReady, Documents: d.Documents}
	if p.DocFiles > 0 { // the number that the project's details show, without HTML
		v.Documents, d.Reading = p.DocFiles, false
	}
	v.Line = Count(v.Documents, "document")
	switch {
	case p.State == api.StateOffline || p.State == api.StateError:
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(p.Term()), true
	case d.Problem != "":
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(d.Problem), true
	case p.State == api.StateNotIndexed || p.State == api.StateIndexing || p.State == api.StatePaused:
		v.Mark, v.Line = RowOf(p, nil, "", now).Mark, Join(Sentence(p.Term()), v.Line)
	case d.Reading:
		v.Mark, v.Line = MarkBusy, T("Reading…")
	}
	return v
}
