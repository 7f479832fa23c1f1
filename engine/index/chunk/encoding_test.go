package chunk

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"searchmcp/engine/api"
)

func newSource(data []byte) (s *source, replaced int) {
	text, replaced, _ := validText(data)
	return sourceOf(text), replaced
}

func TestDecoded(t *testing.T) {
	for name, tc := range map[string]struct {
		in   encoding.Encoding
		text string
	}{
		"latin-1":   {charmap.ISO8859_1, "// Größe der Tür, café, naïve\nint größe = 3;\n"},
		"cp1252":    {charmap.Windows1252, "// “quoted” – résumé\nint x;\n"},
		"shift-jis": {japanese.ShiftJIS, "// 注文の合計を計算する\nint total; // カート\n"},
		"gbk":       {simplifiedchinese.GBK, "// 计算订单的总价，返回结果\nint total;\n"},
	} {
		raw, err := tc.in.NewEncoder().String(tc.text)
		must(t, err)
		src, replaced := newSource([]byte(raw))
		if src.text != tc.text || replaced != 0 || src.lines() != 2 {
			t.Errorf("%s: %q, %d replaced", name, src.text, replaced)
		}
	}
}

func TestNotebook(t *testing.T) {
	const nb = `{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# Load the data\n",
    "from a file"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"data": {"image/png": "iVBORw0KGgoAAAANSUhEUg"}}],
   "source": [
    "import pandas as pd\n",
    "frame = pd.read_csv('orders.csv')"
   ]
  }
 ],
 "metadata": {"language_info": {"name": "python"}}
}`
	chunks, info, err := newChunker().Chunk(t.Context(), "a.ipynb", api.CorpusCode, []byte(nb), strings.Repeat("a", 64))
	if err != nil || info.Method != ByCells || len(chunks) != 2 {
		t.Fatalf("%+v, %d chunks", info, len(chunks))
	}
	text, code := chunks[0], chunks[1]
	if text.Text != "# Load the data\nfrom a file" || text.StartLine != 6 || text.EndLine != 7 ||
		text.Language != "markdown" {
		t.Errorf("%+v", text)
	}
	if code.Text != "import pandas as pd\nframe = pd.read_csv('orders.csv')" || code.StartLine != 14 ||
		code.EndLine != 15 ||
		code.Language != "python" || len(code.Breadcrumb) != 1 || code.Breadcrumb[0] != "Load the data" {
		t.Errorf("%+v", code)
	}
	if _, ok := parseNotebook("a.ipynb", []byte("no notebook")); ok {
		t.Error("something else was read as a notebook")
	}
}
