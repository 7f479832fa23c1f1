package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// write makes a file of pages, each a content stream; forms are named /X1 and so on.
func write(info string, forms []string, pages ...string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(text string) int {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), text)
		return len(at)
	}
	stream := func(dict, s string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(s), s)
	}
	b.WriteString("%PDF-1.7\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	kids := ""
	first := 5 + len(forms)
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", first+2*i)
	}
	object(fmt.Sprintf("<< /Type /Pages /Kids [ %s] /Count %d >>", kids, len(pages)))
	widths := strings.Repeat("500 ", 224)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 " +
		"/LastChar 255 /Widths [" + widths + "] >>")
	object(info)
	names := ""
	for i, f := range forms {
		names += fmt.Sprintf("/X%d %d 0 R ", i+1,
			object(stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>", f)))
	}
	for _, p := range pages {
		n := object(
			fmt.Sprintf(
				"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> "+
					"/XObject << %s>> >> >>",
				len(at)+2, names))
		_ = n
		object(stream("", p))
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
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
