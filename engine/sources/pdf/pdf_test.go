package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// assemble makes a file of objects, the first is the catalogue, and a table of them, whose place is HERE in the
// trailer.
func assemble(trailer string, objects ...string) []byte {
	b := bytes.NewBufferString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(b, "%strailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1,
		strings.ReplaceAll(trailer, "HERE", fmt.Sprint(at)), at)
	return b.Bytes()
}

func stream(dict, s string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(s), s)
}

// write makes a file of pages, each a content stream; forms are named /X1 and so on.
func write(info string, forms []string, pages ...string) []byte {
	kids, names := "", ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 5+len(forms)+2*i)
	}
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>",
		fmt.Sprintf("<< /Type /Pages /Kids [ %s] /Count %d >>", kids, len(pages)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 255 " +
			"/Widths [" + strings.Repeat("500 ", 224) + "] >>", info}
	for i, f := range forms {
		objects = append(objects,
			stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>", f))
		names += fmt.Sprintf("/X%d %d 0 R ", i+1, len(objects))
	}
	for _, p := range pages {
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "+
			"/Resources << /Font << /F1 3 0 R >> /XObject << %s>> >> >>", len(objects)+2, names), stream("", p))
	}
	return assemble("/Info 4 0 R", objects...)
}

// TestRead: words that are placed one by one have spaces between them and kerned ones have none, lines and paragraphs
// are where they stand, divided words are joined, forms are read, and pages follow each other.
func TestRead(t *testing.T) {
	page := `BT /F1 10 Tf 50 700 Td [(W)80(ords)-250(in)-250(a)] TJ 60 0 Td (row) Tj
1 0 0 1 50 686 Tm (of a para-) Tj 0 -12 Td (graph, \(well\)) Tj 12 TL T* (the third line) Tj
0 -40 Td (A caf\351 in a new paragraph) Tj ET`
	scaled := "q 0.1 0 0 0.1 0 0 cm BT /F1 100 Tf 500 5000 Td (Far) Tj 230 0 Td (apart) Tj ET Q /X1 Do"
	form := "BT /F1 10 Tf 50 300 Td (in a form) Tj ET"
	data := write("<< /Title (On  Words) /CreationDate (D:20240229101500Z) >>", []string{form}, page, scaled)
	d, err := Read(data, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := "Words in a row\nof a paragraph, (well)\nthe third line\n\nA café in a new paragraph\n\nFar apart\n\nin a form"
	if d.Text != want || d.Title != "On Words" || d.Date != "2024-02-29" {
		t.Errorf("%q, %q, %q", d.Text, d.Title, d.Date)
	}
	for title, want := range map[string]string{"Microsoft Word - Report": "Report", `C:\\x\\y.wpd`: "", "untitled": "",
		"paper.tex": "", "1.10": "1.10"} {
		if d, err := Read(write("<< /Title ("+title+") >>", nil, page), time.Minute); err != nil || d.Title != want {
			t.Errorf("title %q of %q: %v", d.Title, title, err)
		}
	}
}

func TestNotRead(t *testing.T) {
	whole := write("<< >>", nil, "BT /F1 10 Tf 50 700 Td (x) Tj ET")
	loop := write("<< >>", []string{"/X1 Do"}, "/X1 Do BT /F1 10 Tf 50 700 Td (x) Tj ET")
	if d, err := Read(loop, time.Minute); err != nil || d.Text != "x" {
		t.Errorf("a form that draws itself: %q %v", d.Text, err)
	}
	long := write("<< >>", nil, strings.Repeat("q Q ", 100_000))
	for name, tt := range map[string]struct {
		data   []byte
		within time.Duration
		want   error
	}{
		"picture": {write("<< >>", nil, "0 0 m 10 10 l S"), time.Minute, ErrNoText},
		"none":    {[]byte("no PDF at all"), time.Minute, errBroken},
		"half":    {whole[:len(whole)/2], time.Minute, errBroken},
		"long":    {long, -time.Second, ErrTooLong},
	} {
		if d, err := Read(tt.data, tt.within); !errors.Is(err, tt.want) {
			t.Errorf("%s: %q, %v", name, d.Text, err)
		}
	}
}

// TestCircles: tables and nodes of pages that are their own parents or children are read so often, not for ever.
func TestCircles(t *testing.T) {
	for name, tt := range map[string]struct {
		trailer, pages, page string
		want                 error
	}{
		"table":   {trailer: "/Prev HERE", pages: "/Kids [3 0 R]", want: ErrTooLong},
		"kids":    {pages: "/Kids [2 0 R 2 0 R]", want: ErrNoText},
		"parents": {pages: "/Kids [3 0 R] /Parent 3 0 R", page: "/Parent 2 0 R", want: ErrNoText},
		"count":   {pages: "/Kids [] /Count 2000000000", want: ErrNoText},
	} {
		_, err := Read(assemble(tt.trailer, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 3 "+tt.pages+" >>",
			"<< /Type /Page /Contents 4 0 R "+tt.page+" >>", stream("", "BT ET")), time.Hour)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

// FuzzRead: whatever is in a file, reading it ends, in an error at worst.
func FuzzRead(f *testing.F) {
	f.Add(write("<< /Title (t) >>", []string{"BT /F1 10 Tf (x) Tj ET"}, "BT /F1 10 Tf 5 7 Td [(a) -200 (b)] TJ ET /X1 Do"))
	f.Fuzz(func(t *testing.T, data []byte) {
		began := time.Now()
		d, err := Read(data, time.Second)
		if took := time.Since(began); took > 20*time.Second {
			t.Fatalf("%v", took)
		}
		if err == nil && d.Text == "" {
			t.Fatal("neither text nor an error")
		}
	})
}
