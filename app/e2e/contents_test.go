package e2e

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/store/cache"
)

// TestTextAndVectors checks that code is cut by syntax and prose by headings, that text in older encodings is decoded
// (RFC 5.3), and that the vectors are those of the unquantized model (RFC 5.4).
func TestTextAndVectors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := []string{"Wombat", "Quokka", "Numbat"}
	code, prose, parts := "", "", []string{}
	for _, name := range names { // a chunk of the splitter would have parts of several
		function := "function " + name + "(n) {\n" + strings.Repeat("\tn = n * 3; // rests in the sun\n", 40) + "\treturn\n}"
		section := "## " + name + "\n\n" + strings.Repeat("It rests in the sun and digs a burrow.\n", 41)
		code, prose = code+function+"\n\n", prose+section+"\n"
		parts = append(parts, embed.Input(api.Chunk{Symbols: []string{name}, Text: function}),
			embed.Input(api.Chunk{Path: "zoo.md", Breadcrumb: []string{name}, Text: section}))
	}
	files, known := map[string]string{"zoo.js": code, "zoo.md": prose}, map[string][]float64{}
	dir := filepath.Join(top, "assets", "model", "testdata")
	vectors := must(os.ReadFile(filepath.Join(dir, "vectors.bin")))
	for line := range strings.Lines(string(must(os.ReadFile(filepath.Join(dir, "texts.jsonl"))))) {
		if m := regexp.MustCompile(`^"(\w+) (\w+) ([\w ]+)"`).FindStringSubmatch(line); m != nil {
			files[m[1]+"/"+m[2]+".txt"] = m[3] // a chunk's input begins with its path
			text := m[1] + " " + m[2] + "\n" + m[3]
			for n := range api.VectorDim {
				known[text] = append(known[text], float64(int16(binary.LittleEndian.Uint16(vectors[2*n:])))/math.MaxInt16)
			}
		}
		vectors = vectors[2*api.VectorDim:]
	}
	root := w.folder(files)
	older := map[string]encoding.Encoding{"Größe der Tür": charmap.ISO8859_1, "“quoted” – résumé": charmap.Windows1252,
		"注文の合計を計算する": japanese.ShiftJIS, "计算订单的总价，返回结果": simplifiedchinese.GBK,
		"Höhe im Käfig": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}
	for words, in := range older {
		w.write(filepath.Join(root, fmt.Sprintf("%x.c", words)), must(in.NewEncoder().String("// "+words+"\nint n;\n")))
	}
	e := w.indexed(root)
	for words := range older {
		e.wantText(fmt.Sprintf(`{"results":[{"path":"%x.c","text":"// %[1]s\nint n;","score":`, words), "search_code",
			map[string]any{"query": words})
	}
	for tool, file := range map[string]string{"search_code": "zoo.js", "search_docs": "zoo.md"} {
		for i, name := range names {
			var h hits
			e.call(tool, map[string]any{"query": name, "detail": "full"}, &h)
			if h.rank(file) != 1 || h.Results[0].StartLine != 44*i+1 || h.Results[0].EndLine != 44*i+43 {
				t.Errorf("%s in %s: %s", name, file, h.paths())
			}
		}
	}
	w.await("the vectors", func() bool { p := w.project(root); return p.State == "ready" && p.Vectors == p.Chunks })
	w.stop()
	c := must(cache.Open(filepath.Dir(filepath.Join(w.data, vectorCache)), cache.Options{}))
	defer c.Close()
	model := must(embed.ModelHash())
	texts := slices.Collect(maps.Keys(known))
	got := must(c.Get(t.Context(), model, texts))
	for i, v := range got {
		cosine := 0.0
		for n := range v {
			cosine += float64(v[n]) * known[texts[i]][n]
		}
		if cosine < 0.96 {
			t.Errorf("%q has another vector than the model's: cosine %.3f", texts[i], cosine)
		}
	}
	if cut := must(c.Get(t.Context(), model, parts)); len(cut) != len(parts) || len(got) < 25 {
		t.Errorf("only %v of %.100q are chunks, or only %d of the texts", slices.Sorted(maps.Keys(cut)), parts, len(got))
	}
}
