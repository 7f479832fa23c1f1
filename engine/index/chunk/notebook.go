package chunk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"searchmcp/engine/api"
)

// notebook contains the cells of a Jupyter notebook (nbformat 4), without outputs and pictures.
type notebook struct {
	Cells []struct {
		Type   string          `json:"cell_type"`
		Source json.RawMessage `json:"source"`
	} `json:"cells"`
	Metadata struct {
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

func (nb *notebook) language() string {
	code := strings.ToLower(cmp.Or(nb.Metadata.Info.Name, nb.Metadata.Kernel.Language, "python"))
	if code == "ipython" {
		code = "python"
	}
	return code
}

type cell struct {
	language string
	lines    []string
	numbers  []int
}

func (nb *notebook) cells(data []byte) (out []cell) {
	at, line := 0, 1
	for _, c := range nb.Cells {
		off := bytes.Index(data[at:], c.Source)
		if len(c.Source) == 0 || off < 0 {
			continue
		}
		line += bytes.Count(data[at:at+off], []byte("\n"))
		at += off
		one := cell{language: nb.language()}
		if c.Type != "code" {
			one.language = "markdown"
		}
		one.lines, one.numbers = cellLines(c.Source, line)
		at, line = at+len(c.Source), line+bytes.Count(c.Source, []byte("\n"))
		if len(one.lines) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// notebookCells cuts a notebook into its cells.
func notebookCells(nb *notebook, data []byte, path, contentHash string) (chunks []api.Chunk) {
	var crumbs []string
	for _, c := range nb.cells(data) {
		lines, numbers := c.lines, c.numbers
		if len(numbers) == 1 {
			lines = []string{strings.Join(lines, " ⏎ ")}
		}
		if c.language == "markdown" {
			for _, l := range lines {
				if h := strings.TrimLeft(l, "#"); h != l && strings.HasPrefix(h, " ") && titleOf(h) != "" {
					crumbs = []string{titleOf(h)}
				}
			}
		}
		for from := 0; from < len(lines); {
			to, size := from+1, len(lines[from])
			for to < len(lines) && numbers[to] == numbers[to-1]+1 && size+len(lines[to]) < readable {
				size += len(lines[to]) + 1
				to++
			}
			if text := strings.Join(lines[from:to], "\n"); strings.TrimSpace(text) != "" {
				n := len(chunks)
				chunks = append(chunks, api.Chunk{
					ID: api.ChunkID(path, contentHash, n), Path: path, Text: text, StartLine: numbers[from], EndLine: numbers[to-1],
					ContentHash: contentHash, Ordinal: n, Language: c.language, Breadcrumb: crumbs,
				})
			}
			from = to
		}
	}
	return chunks
}

// cellLines returns the lines of a cell with their line numbers in the file.
func cellLines(source json.RawMessage, number int) (lines []string, numbers []int) {
	var whole string
	if json.Unmarshal(source, &whole) == nil {
		return strings.Split(strings.TrimRight(whole, "\n"), "\n"), []int{number}
	}
	d := json.NewDecoder(bytes.NewReader(source))
	counted := 0
	for {
		t, err := d.Token()
		if err != nil {
			return lines, numbers
		}
		if s, isText := t.(string); isText {
			end := int(d.InputOffset())
			number += bytes.Count(source[counted:end], []byte("\n"))
			counted = end
			text := strings.ReplaceAll(strings.TrimRight(s, "\r\n"), "\n", " ⏎ ")
			lines, numbers = append(lines, text), append(numbers, number)
		}
	}
}

// code returns a notebook's code, with each line at its line number in the file.
func (nb *notebook) code(data []byte) string {
	lines := make([]string, bytes.Count(data, []byte("\n"))+1)
	next := 1
	for _, c := range nb.cells(data) {
		if c.language == "markdown" {
			continue
		}
		for i, l := range c.lines {
			at := max(c.numbers[min(i, len(c.numbers)-1)], next)
			for at > len(lines) {
				lines = append(lines, "")
			}
			if strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!") {
				l = "" // a notebook directive
			}
			lines[at-1], next = l, at+1
		}
	}
	return strings.Join(lines, "\n")
}

func parseNotebook(path string, data []byte) (nb notebook, ok bool) {
	return nb, strings.HasSuffix(strings.ToLower(path), ".ipynb") && json.Unmarshal(data, &nb) == nil && nb.Cells != nil
}
