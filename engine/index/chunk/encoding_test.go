package chunk

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func newSource(data []byte) (s *source, replaced int) {
	text, replaced, _ := validText(data)
	return sourceOf(text), replaced
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
