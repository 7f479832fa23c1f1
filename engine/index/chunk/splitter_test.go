package chunk

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// chunkFile cuts a file, checks the guarantees for callers, and removes the outline.
func chunkFile(t testing.TB, c *Chunker, name string, corpus api.Corpus, data string) ([]api.Chunk, Info) {
	t.Helper()
	chunks, info, err := c.Chunk(t.Context(), name, corpus, []byte(data), "hash")
	must(t, err)
	checkCover(t, name, []byte(data), chunks, info)
	if n := len(chunks) - 1; n > 0 && chunks[n].EndLine == 0 {
		chunks = chunks[:n]
	}
	return chunks, info
}

func numbered(n int, end string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of a file that no rule knows%s", i+1, end)
		if i%7 == 6 {
			b.WriteString(end)
		}
	}
	return b.String()
}

func TestSplitterShapes(t *testing.T) {
	c := newChunker()
	long := strings.Repeat("word ", 200000)
	for name, tc := range map[string]struct {
		data   string
		chunks int // -1: any
	}{
		"empty":            {"", 0},
		"white space":      {"\n \r\n\t\n", 0},
		"no final newline": {"a", 1},
		"byte order mark":  {"\xef\xbb\xbfa\n", 1},
		"lf":               {numbered(500, "\n"), -1},
		"crlf":             {numbered(500, "\r\n"), -1},
		"cr":               {numbered(500, "\r"), -1},
		"one line":         {long, -1},
		"one word":         {strings.Repeat("x", 1<<20), -1},
		"invalid":          {strings.Repeat("\xff\xfe\n", 3000), -1},
		"nul":              {"a\x00b\n\x00", 1},
		"wide":             {strings.Repeat("漢字の行です。\n", 2000), -1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, corpus := range api.Corpora {
				chunks, _ := chunkFile(t, c, "f.unknown", corpus, tc.data)
				if tc.chunks >= 0 && len(chunks) != tc.chunks {
					t.Errorf("%s: %d chunks, want %d", corpus, len(chunks), tc.chunks)
				}
				src, _ := newSource([]byte(tc.data))
				checkSpans(t, src, src.split(span{0, len(src.text)}, limitsOf(corpus)))
				for i, ch := range chunks {
					if n := utf8.RuneCountInString(ch.Text); n > limitsOf(corpus).size {
						t.Errorf("%s: chunk %d has %d characters", corpus, i, n)
					}
				}
			}
		})
	}
}

// Two windows share at most the RFC's overlap, and nearly the whole overlap if lines are short.
func TestSplitterOverlap(t *testing.T) {
	for _, corpus := range api.Corpora {
		l := limitsOf(corpus)
		src, _ := newSource([]byte(numbered(2000, "\n")))
		spans := src.split(span{0, len(src.text)}, l)
		if len(spans) < 5 {
			t.Fatalf("%s: %d spans", corpus, len(spans))
		}
		for i := 1; i < len(spans); i++ {
			shared := spans[i-1].end - spans[i].start
			if shared > l.overlap || shared < l.overlap-100 {
				t.Errorf("%s: spans %d and %d share %d characters", corpus, i-1, i, shared)
			}
			if !strings.HasSuffix(src.text[spans[i-1].start:spans[i-1].end], "\n\n") {
				t.Errorf("%s: span %d does not end with a paragraph", corpus, i-1)
			}
		}
	}
}

func TestSplitterCutsBehindSentencesOfDocs(t *testing.T) {
	text := strings.Repeat("This is a sentence of one long line. ", 1000)
	src, _ := newSource([]byte(text))
	for i, sp := range src.split(span{0, len(text)}, docsLimits) {
		if s := text[sp.start:sp.end]; !strings.HasPrefix(s, "This") || !strings.HasSuffix(s, ". ") {
			t.Errorf("span %d: %.20q … %q", i, s, s[len(s)-10:])
		}
	}
}

func TestInvalidBytesAreReplaced(t *testing.T) {
	chunks, info := chunkFile(t, newChunker(), "x.unknown", api.CorpusCode, "a\xffb\x00c\n\nd")
	if info.Replaced != 2 || chunks[0].Text != "a\ufffdb\ufffdc\n\nd" || chunks[0].EndLine != 3 {
		t.Errorf("%+v %+v", info, chunks)
	}
}

func TestLimitReportsCutText(t *testing.T) {
	chunks, info := chunkFile(t, newChunker(), "x.unknown", api.CorpusCode, numbered(120000, "\n"))
	if len(chunks) != MaxChunks || info.CutFrom != chunks[MaxChunks-1].EndLine+
		1 && info.CutFrom != chunks[MaxChunks-1].EndLine+2 {
		t.Errorf("%d chunks, cut from line %d, last chunk ends on %d", len(chunks), info.CutFrom,
			chunks[len(chunks)-1].EndLine)
	}
}

func FuzzSplitter(f *testing.F) {
	f.Add([]byte("a\r\n\r\nb\rc\n\n"), 10, 3)
	f.Add([]byte("\xff\x00漢 \n. x"), 2, 1)
	f.Fuzz(func(t *testing.T, data []byte, size, overlap int) {
		size = 2 + abs(size)%60
		l := limits{size, abs(overlap) % (size / 2), docsLimits.separators}
		src, _ := newSource(data)
		var chunks []Piece
		spans := src.split(span{0, len(src.text)}, l)
		checkSpans(t, src, spans)
		for _, sp := range spans {
			if n := utf8.RuneCountInString(src.text[sp.start:sp.end]); n > size {
				t.Fatalf("%d characters, limit %d", n, size)
			}
			chunks = append(chunks, pieceOf(sp))
		}
		checkCover(t, "fuzz", data, finish(src, chunks, "p", "", "h"), Info{})
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
