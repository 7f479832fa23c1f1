package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/sources/markup"
)

var hostile = map[string]string{
	"attributes.html": "<p" + attributes(300_000),
	"deep.html":       strings.Repeat("<div><p><table>", 100_000),
	"quotes.md":       strings.Repeat("> ", 2_000_000),
	"lists.md":        strings.Repeat("- ", 500_000),
	"emphasis.md":     strings.Repeat("*a_ ", 60_000),
	"brackets.md":     strings.Repeat("[", 1_000_000),
	"links.md":        strings.Repeat("[a](<b", 200_000),
	"references.md":   strings.Repeat("[a]: b\n", 200_000) + strings.Repeat("[a]", 200_000),
}

func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d", i)
	}
	return b.String()
}

func documents(t testing.TB, p *worker.Poison) (d *worker.Documents, starts func() int) {
	t.Helper()
	process := native.New(native.Options{Name: string(worker.Read), Program: worker.Program,
		Args: []string{string(worker.Read)}, Log: quiet, Silence: time.Minute, Memory: 300 << 20})
	t.Cleanup(func() { _ = process.Close() })
	return worker.NewDocuments(process, 300*time.Millisecond, p, quiet), process.Starts
}

// No document affects this process, and each kills its reader at most once.
func TestHostileDocuments(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			data := []byte(text)
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
			for _, read := range readings {
				known, begun := p.Len(), time.Now()
				what := read()
				t.Logf("%d bytes: %s in %s", len(data), what, time.Since(begun).Round(time.Millisecond))
				if p.Len() == known {
					continue // the document may be just within the limit
				}
				began := starts()
				read()
				wantEqual(t, starts(), began, "it is given to a reader again: starts")
			}
			runtime.ReadMemStats(&after)
			mb := (after.TotalAlloc - before.TotalAlloc) >> 20
			if most := uint64(100 + 10*len(data)>>20); mb > most+200 {
				t.Errorf("%d MB were allocated here", mb)
			}
			wantEqual(t, d.Parse(t.Context(), "good.md", []byte("# Title\n\nText.\n")).Title,
				"Title", "a good document afterwards: title")
		})
	}
}

// The process returns the same result as a reader in this process, or plain text if it can't run.
func TestDocuments(t *testing.T) {
	d, _ := documents(t, poison(t))
	for name, text := range map[string]string{
		"a.md":   "---\ntags: [x]\n---\n# One\n\nText with [a link](b.md).\n\n## Two\n\nMore.\n",
		"b.html": "<title>T</title><main><h1 id=x>H</h1><p>caf\xe9 <a href=\"c\">c</a></main>",
		"c.txt":  "Title\n\nText",
	} {
		got, want := d.Parse(t.Context(), name, []byte(text)), markup.Parse(name, []byte(text))
		wantEqual(t, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want), "result")
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
	away := worker.NewDocuments(none, worker.ReadingTime, poison(t), slog.New(slog.DiscardHandler))
	if doc := away.Parse(context.Background(), "a.md", []byte("# One\n\ntext")); doc.Format != markup.Text ||
		doc.Plain == "" || !doc.Again {
		t.Errorf("%+v", doc)
	}
}

func TestManyHostileDocuments(t *testing.T) {
	read := native.New(native.Options{Program: worker.Program, Args: []string{string(worker.Read)}, Log: quiet,
		Problem: func(err error) { t.Errorf("problem: %v", err) }})
	defer read.Close()
	d := worker.NewDocuments(read, 50*time.Millisecond, poison(t), quiet)
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

func FuzzDocuments(f *testing.F) {
	names := []string{"a.md", "a.html"}
	for name, text := range hostile {
		kind := slices.IndexFunc(names, func(n string) bool { return filepath.Ext(n) == filepath.Ext(name) })
		f.Add(uint8(kind), []byte(text[:min(len(text), 64<<10)])) // the remaining data is similar
	}
	p, err := worker.OpenPoison(filepath.Join(f.TempDir(), "crashes.json"), "1", quiet)
	must(f, err)
	d, _ := documents(f, p)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		name := names[int(kind)%len(names)]
		doc := d.Parse(t.Context(), name, data)
		for _, h := range doc.Headings {
			doc.Section(h.Anchor)
		}
		_ = d.Content(t.Context(), name, data)
	})
}
