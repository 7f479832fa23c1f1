package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"howett.net/plist"

	"searchmcp/engine/sources/markup"
)

// webRecord is a record of a WARC with a server's answer.
func webRecord(address, headers, body string) string {
	answer := "HTTP/1.1 200 OK\r\n" + headers + "\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2022-05-06T07:08:09Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", address,
		len(answer), answer)
}

func zipped(t *testing.T, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts { // each a member of its own
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// away is a reader that is not there for one page.
type away struct{ pages }

func (a away) Parse(ctx context.Context, name string, data []byte) markup.Document {
	if strings.Contains(string(data), "potoroo") {
		d := markup.AsText(name, data)
		d.Again = true
		return d
	}
	return a.pages.Parse(ctx, name, data)
}

// TestPageIsReadAgain: of a file of several pages one became plain text, since its reader was away: the next import
// reads it, and the other pages stay.
func TestPageIsReadAgain(t *testing.T) {
	dir, db := folder(t, map[string]string{
		"crawl.warc": webRecord("https://crawl.example/one", "Content-Type: text/html", "<title>One</title><p>A quoll.") +
			webRecord("https://crawl.example/two", "Content-Type: text/html", "<title>Two</title><p>A potoroo."),
	}), filepath.Join(t.TempDir(), "search.db")
	if r, err := Import(t.Context(), db, dir, away{}, nil); err != nil || r.Documents != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r := load(t, db, dir); r.Updated != 2 || r.Documents != 2 || r.Removed != 0 {
		t.Errorf("read again: %+v", r)
	}
	if a := search(t, db, Query{Text: "potoroo"}); len(a.Results) != 1 || a.Results[0].Document.Title != "Two" {
		t.Errorf("%+v", a.Results)
	}
	if r := load(t, db, dir); r.Unchanged != 2 || r.Documents != 2 {
		t.Errorf("once more: %+v", r)
	}
}

// TestSavedPages: papers and saved pages of the usual kinds are documents, with the address and day they were saved
// from, what they cite, and no secrets; a file of several pages is several documents.
func TestSavedPages(t *testing.T) {
	pdf, err := os.ReadFile("testdata/paper.pdf")
	if err != nil {
		t.Fatal(err)
	}
	token := "ghp_" + "x7Kq2mPz9RtLw4Vn8Bs3Yd6Fg1Hj5Ca0Te2U"
	safari, err := plist.Marshal(map[string]any{"WebMainResource": map[string]any{"WebResourceData": []byte(
		"<title>Safari's page</title><p>A bilby, caf\xe9, " + token),
		"WebResourceMIMEType": "text/html", "WebResourceTextEncodingName": "ISO-8859-1",
		"WebResourceURL": "https://bilby.example/a"}}, plist.BinaryFormat)
	if err != nil {
		t.Fatal(err)
	}
	crawl := []string{
		"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\nabcd\r\n\r\n",
		webRecord("https://crawl.example/one", "Content-Type: text/html; charset=iso-8859-1",
			`<title>One</title><main><p>A quoll, caf`+"\xe9"+`, see <a href="two">two</a>.</main>`),
		webRecord("https://crawl.example/notes.txt", "Content-Type: text/plain; charset=utf-8",
			"A <dibbler>\n\nFeeds at dusk."),
		webRecord("https://crawl.example/style.css", "Content-Type: text/css", "quoll{}"),
		webRecord("https://crawl.example/two",
			"Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked",
			chunked(zipped(t, "<title>Two</title><p>A potoroo."))),
	}
	dir, db := folder(t, map[string]string{
		"paper.pdf": string(pdf), "safari.webarchive": string(safari), "crawl.warc.gz": zipped(t, crawl...),
		"plain.warc": crawl[1] + "WARC/1.1\r\nbroken",
		"broken.pdf": "%PDF-1.4 no more", "broken.warc": "no WARC", "empty.warc": crawl[0], "broken.webarchive": "bplist00",
		"broken.mhtml": "no mail",
	}), filepath.Join(t.TempDir(), "search.db")
	r := load(t, db, dir)
	if r.Added != 6 || r.Documents != 6 {
		t.Errorf("%+v", r)
	}
	for name, why := range map[string]string{"broken.pdf": markup.ErrDamaged.Error(),
		"broken.warc":       markup.ErrDamaged.Error(),
		"empty.warc":        markup.ErrNoPages.Error(),
		"broken.webarchive": markup.ErrDamaged.Error(), "broken.mhtml": markup.ErrDamaged.Error()} {
		if !slices.Contains(r.Skipped, name+": "+why) {
			t.Errorf("%s is not named with «%s»: %q", name, why, r.Skipped)
		}
	}
	for query, want := range map[string][4]string{ // title, address, date, file
		"numbat":  {"A paper about wombats", "", "2021-03-04", "paper.pdf"},
		"bilby":   {"Safari's page", "https://bilby.example/a", "", "safari.webarchive"},
		"dibbler": {"https://crawl.example/notes.txt", "https://crawl.example/notes.txt", "2022-05-06", "crawl.warc.gz"},
		"potoroo": {"Two", "https://crawl.example/two", "2022-05-06", "crawl.warc.gz"},
	} {
		a := search(t, db, Query{Text: query, IncludeCitations: true, Limit: 5})
		if len(a.Results) != 1 {
			t.Fatalf("%s: %d results", query, len(a.Results))
		}
		d := a.Results[0].Document
		if d.Title != want[0] || d.URL != want[1] || want[2] != "" && d.Date != want[2] ||
			d.File != filepath.Join(dir, want[3]) {
			t.Errorf("%s: %+v", query, d)
		}
		if _, err := os.Stat(d.File); err != nil {
			t.Error(err)
		}
		var cites []string
		for _, c := range append(a.Results[0].Citations.Citing, a.Results[0].Citations.Cited...) {
			cites = append(cites, c.TargetURL)
		}
		switch query {
		case "numbat":
			if !slices.Equal(cites, []string{"https://burrow.example/page", "https://doi.org/10.1000/numbat1"}) {
				t.Errorf("the paper cites %q", cites)
			}
		case "potoroo": // cited by the page of the same crawl, and by the same page in another file
			if len(cites) != 2 {
				t.Errorf("cited by %q", cites)
			}
		}
	}
	if a := search(t, db, Query{Text: "café quoll", Limit: 5}); len(a.Results) < 2 ||
		!strings.Contains(a.Results[0].Document.Title, "One") {
		t.Errorf("an encoding that the server named: %+v", a.Results)
	}
	if a := search(t, db, Query{Text: token, Limit: 5}); len(a.Results) != 0 {
		t.Error("a token of a saved page is in the archive")
	}
	if again := load(t, db, dir); again.Unchanged != 6 || again.Added+again.Updated+again.Removed != 0 {
		t.Errorf("again: %+v", again)
	}
	if err := os.Remove(filepath.Join(dir, "crawl.warc.gz")); err != nil {
		t.Fatal(err)
	}
	if gone := load(t, db, dir); gone.Removed != 3 || gone.Documents != 3 {
		t.Errorf("without the crawl: %+v", gone)
	}
}

func chunked(body string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body) }
