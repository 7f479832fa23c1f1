package worker_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/sources/markup"
)

var hostileDir = flag.String("hostile", "", "a folder to leave the hostile documents in")

// pdfOf puts objects behind each other, the first is the catalogue, and a table of them at the end.
func pdfOf(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1,
		strings.ReplaceAll(trailer, "HERE", fmt.Sprint(table)), table)
	return b.Bytes()
}

// pdfStream is a PDF whose table is a stream: its dictionary and entries of a byte for kind, place and index each.
func pdfStream(dictionary string, entries ...[3]byte) []byte {
	head := "%PDF-1.5\n"
	var data []byte
	for _, e := range entries {
		data = append(data, e[:]...)
	}
	return fmt.Appendf(nil, "%s9 0 obj\n<</Type/XRef/W[1 1 1]/Root 1 0 R/Length %d%s>>stream\n%s\nendstream\nendobj\n"+
		"startxref\n%d\n%%%%EOF\n", head, len(data), dictionary, data, len(head))
}

// onePage is a PDF of one page with its contents compressed.
func onePage(contents []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(contents)
	w.Close()
	return pdfOf("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<>>>>",
		fmt.Sprintf("<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream", z.Len(), z.Bytes()))
}

func gzipped(write func(w *gzip.Writer)) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	write(w)
	w.Close()
	return b.Bytes()
}

// sized is a size, or the tenth of it that tests have time for.
func sized(large bool, n int) int {
	if large {
		return n
	}
	return n / 10
}

// hostile are documents that somebody made to do harm, small ones and large ones.
var hostile = map[string]func(large bool) []byte{
	// An object stream that lies in itself, a table of two billion, and things that are their own parents.
	"selfstream.pdf": func(bool) []byte { return pdfStream("/Size 2", [3]byte{0, 0, 0}, [3]byte{2, 1, 0}) },
	"hugexref.pdf":   func(bool) []byte { return pdfStream("/Size 2000000000", [3]byte{0, 0, 0}) },
	"prevcycle.pdf":  func(bool) []byte { return pdfOf("/Prev HERE", "<</Type/Catalog/Pages 2 0 R>>", "<<>>") },
	"kidscycle.pdf": func(bool) []byte {
		return pdfOf("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 3>>")
	},
	"parentcycle.pdf": func(bool) []byte {
		return pdfOf("", "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>",
			"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", "<</Length 9>>stream\nBT ET\nendstream")
	},
	"arraybomb.pdf": func(large bool) []byte { return onePage(bytes.Repeat([]byte{'['}, sized(large, 100<<20))) },
	"qbomb.pdf":     func(large bool) []byte { return onePage(bytes.Repeat([]byte("q "), sized(large, 50<<20))) },
	"nested.webarchive": func(large bool) []byte {
		return []byte(`<?xml version="1.0"?><plist version="1.0">` + strings.Repeat("<array>", sized(large, 4_000_000)))
	},
	"warcbomb.warc.gz": func(large bool) []byte {
		return gzipped(func(w *gzip.Writer) {
			page := gzipped(func(w *gzip.Writer) { w.Write(make([]byte, 16<<20)) })
			for i := range sized(large, 3000) {
				answer := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + string(page)
				fmt.Fprintf(w, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/%d\r\n"+
					"Content-Length: %d\r\n\r\n%s\r\n\r\n", i, len(answer), answer)
			}
		})
	},
	"zeros.warc.gz": func(large bool) []byte {
		return gzipped(func(w *gzip.Writer) { w.Write(make([]byte, sized(large, 1<<30))) })
	},
	"parts.mhtml": func(bool) []byte {
		return []byte("MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" +
			strings.Repeat("--b\r\nContent-Type: image/png\r\n\r\n\r\n", 300_000))
	},
	"attributes.html": func(large bool) []byte {
		var b bytes.Buffer
		b.WriteString("<p")
		for i := range sized(large, 3_000_000) {
			fmt.Fprintf(&b, " a%d", i)
		}
		return b.Bytes()
	},
	"deep.html":   func(bool) []byte { return []byte(strings.Repeat("<div><p><table>", 100_000)) },
	"quotes.md":   func(bool) []byte { return []byte(strings.Repeat("> ", 2_000_000)) },
	"lists.md":    func(bool) []byte { return []byte(strings.Repeat("- ", 500_000)) },
	"emphasis.md": func(bool) []byte { return []byte(strings.Repeat("*a_ ", 60_000)) },
	"brackets.md": func(bool) []byte { return []byte(strings.Repeat("[", 1_000_000)) },
	"links.md":    func(bool) []byte { return []byte(strings.Repeat("[a](<b", 200_000)) },
	"references.md": func(bool) []byte {
		return []byte(strings.Repeat("[a]: b\n", 200_000) + strings.Repeat("[a]",
			200_000))
	},
}

// documents are readers with processes of their own, of less time than the product's.
func documents(t testing.TB, p *worker.Poison) (d *worker.Documents, starts func() int) {
	t.Helper()
	var all []*native.Process
	process := func(kind worker.Kind) *native.Process {
		p := native.New(native.Options{Name: string(kind), Program: worker.Program, Args: []string{string(kind)}, Log: quiet,
			Silence: time.Minute, Memory: 300 << 20})
		t.Cleanup(func() { _ = p.Close() })
		all = append(all, p)
		return p
	}
	short := 300 * time.Millisecond
	d = worker.NewDocuments(process(worker.Read), process(worker.Unpack), worker.ReadingTimes{Read: short, Unpack: short},
		p, quiet)
	return d, func() (n int) {
		for _, p := range all {
			n += p.Starts()
		}
		return n
	}
}

// TestHostileDocuments: no document takes this process with it or its memory, each costs itself alone, and once.
func TestHostileDocuments(t *testing.T) {
	for name, write := range hostile {
		data := write(*hostileDir != "")
		if *hostileDir != "" {
			if err := os.WriteFile(filepath.Join(*hostileDir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(name, func(t *testing.T) {
			p := poison(t)
			d, starts := documents(t, p)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			readings := []func() string{
				func() string {
					doc := d.Parse(t.Context(), name, data)
					return fmt.Sprintf("%s of %d bytes", doc.Format, len(doc.Plain))
				},
				func() string { return fmt.Sprintf("%d bytes", len(d.Content(t.Context(), name, data))) },
			}
			if _, ok := markup.Holds(name); ok {
				readings = []func() string{func() string {
					pages, err := d.Pages(t.Context(), name, data)
					if err != nil && !errors.As(err, new(markup.PagesError)) {
						t.Errorf("%v", err)
					}
					return fmt.Sprintf("%d pages, %v", len(pages), err)
				}}
			}
			for _, read := range readings {
				known, begun := p.Len(), time.Now()
				what := read()
				t.Logf("%d bytes: %s in %s", len(data), what, time.Since(begun).Round(time.Millisecond))
				if p.Len() == known {
					continue // it may take just as long as it is given, and too long the next time
				}
				began := starts()
				if read(); starts() != began {
					t.Error("it is given to a reader again")
				}
			}
			runtime.ReadMemStats(&after)
			mb := (after.TotalAlloc - before.TotalAlloc) >> 20
			if most := uint64(100 + 10*len(data)>>20); mb > most+200 {
				t.Errorf("%d MB were allocated here", mb)
			}
			if doc := d.Parse(t.Context(), "good.md", []byte("# Title\n\nText.\n")); doc.Title != "Title" {
				t.Errorf("a good document afterwards: %+v", doc)
			}
		})
	}
}

// TestDocuments: what another process reads is what this one does, sections and all, and a reader that can't run gives
// plain text.
func TestDocuments(t *testing.T) {
	d, _ := documents(t, poison(t))
	for name, text := range map[string]string{
		"a.md":   "---\ntags: [x]\n---\n# One\n\nText with [a link](b.md).\n\n## Two\n\nMore.\n",
		"b.html": "<title>T</title><main><h1 id=x>H</h1><p>caf\xe9 <a href=\"c\">c</a></main>",
		"c.txt":  "Title\n\nText",
	} {
		got, want := d.Parse(t.Context(), name, []byte(text)), markup.Parse(name, []byte(text))
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s:\n%+v\nwant:\n%+v", name, got, want)
		}
		for _, h := range want.Headings {
			there, _ := got.Section(h.Anchor)
			if here, _ := want.Section(h.Anchor); there != here {
				t.Errorf("%s, %s: %q, want %q", name, h.Anchor, there, here)
			}
		}
		if got, want := d.Content(t.Context(), name, []byte(text)), markup.Content(name, []byte(text)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	none := native.New(native.Options{Program: func() (string, error) { return "", errors.New("missing") }, Log: quiet})
	away := worker.NewDocuments(none, none, worker.UsualTimes, poison(t), slog.New(slog.DiscardHandler))
	if doc := away.Parse(context.Background(), "a.md", []byte("# One\n\ntext")); doc.Format != markup.Text ||
		doc.Plain == "" || !doc.Again {
		t.Errorf("%+v", doc)
	}
	if _, err := away.Pages(t.Context(), "a.pdf", nil); !errors.Is(err, markup.ErrNotNow) {
		t.Errorf("%v", err)
	}
}

// TestManyHostileDocuments: however many of them end their reader one after the other, the next good document is read,
// and none is taken for a reader that does not work.
func TestManyHostileDocuments(t *testing.T) {
	read := native.New(native.Options{Program: worker.Program, Args: []string{string(worker.Read)}, Log: quiet,
		Problem: func(err error) { t.Errorf("told: %v", err) }})
	defer read.Close()
	d := worker.NewDocuments(read, read, worker.ReadingTimes{Read: 50 * time.Millisecond}, poison(t), quiet)
	for i := range 8 {
		doc := d.Parse(t.Context(), "a.md", []byte(strings.Repeat("*a_ ", 60_000+i)))
		if doc.Format != markup.Text || doc.Again {
			t.Errorf("%s, again %v", doc.Format, doc.Again)
		}
	}
	if doc := d.Parse(t.Context(), "good.md", []byte("# Title\n\nText.\n")); doc.Title != "Title" || doc.Again {
		t.Errorf("a good document afterwards: %+v", doc)
	}
	if n, last := read.Deaths(time.Time{}); n != 0 {
		t.Errorf("%d deaths count against the reader: %v", n, last)
	}
}

// FuzzDocuments: nothing that a document holds ends this process, or keeps its reader from the next one.
func FuzzDocuments(f *testing.F) {
	names := []string{"a.md", "a.html", "a.pdf", "a.warc", "a.warc.gz", "a.mhtml", "a.webarchive"}
	for name, write := range hostile {
		data := write(false)
		if len(data) > 64<<10 {
			data = data[:64<<10] // the rest is more of the same
		}
		for i, n := range names {
			if filepath.Ext(n) == filepath.Ext(name) {
				f.Add(uint8(i), data)
			}
		}
	}
	p, err := worker.OpenPoison(filepath.Join(f.TempDir(), "crashes.json"), "1", quiet)
	if err != nil {
		f.Fatal(err)
	}
	d, _ := documents(f, p)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		name := names[int(kind)%len(names)]
		if _, ok := markup.Holds(name); ok {
			pages, err := d.Pages(t.Context(), name, data)
			if err == nil && len(pages) == 0 {
				t.Error("neither pages nor a reason")
			}
			return
		}
		doc := d.Parse(t.Context(), name, data)
		for _, h := range doc.Headings {
			doc.Section(h.Anchor)
		}
		_ = d.Content(t.Context(), name, data)
	})
}
