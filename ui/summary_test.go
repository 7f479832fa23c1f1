package ui

import (
	"strings"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func TestTheCountHasRoom(t *testing.T) {
	for _, l := range []string{"", "de"} {
		w, _ := newTestIn(t, searching(), VariantLight, translations.For(l))
		w.Go(PageSearch, "a")
		s := w.pages[PageSearch].(*search)
		s.field.SetText("where are refresh tokens rotated")
		for _, width := range []float32{720, 900, 1440} {
			size(w, width, 600)
			if s.summary.value == "" || s.summary.Size().Width < s.summary.full() {
				t.Errorf("%q, %v wide: %q has %v of %v", l, width, s.summary.value, s.summary.Size().Width, s.summary.full())
			}
		}
	}
}

func TestCapsAreNoCounts(t *testing.T) {
	f := searching()
	hits := f.results.Hits
	for len(f.results.Hits) < api.MaxTopK {
		f.results.Hits = append(f.results.Hits, hits...)
	}
	f.results.Hits = f.results.Hits[:api.MaxTopK]
	f.results.Total, f.docs, f.outside = 815, api.Results{}, wire.SourceResults{}
	_, _, s := newTestSearch(t, f, VariantLight)
	if got := s.summary.value; !strings.HasPrefix(got, "50 of 815 results") {
		t.Errorf("the sum is %q", got)
	}
	f.docs = api.Results{Hits: hits[:1], Total: 1}
	s.run()
	if got := s.rows[0].count; got != "Show 50 of 815" {
		t.Errorf("the heading says %q", got)
	}
}
