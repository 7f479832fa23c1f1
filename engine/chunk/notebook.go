package chunk

import (
	"bytes"
	"encoding/json"
	"strings"

	"searchmcp/engine/api"
)

// notebook is as much of a Jupyter notebook (nbformat 4) as is read: what people wrote, no outputs and no pictures.
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

// maxCell is the size up to which a cell is one chunk, in bytes.
const maxCell = readable

// notebookCells cuts a notebook by its cells, with the lines that they have in the file: notebooks have a string for
// each line of a cell, on a line of its own. Where a cell is one string, its lines are shown as one. ok is false for
// what is no notebook.
func notebookCells(data []byte, path, contentHash string) (chunks []api.Chunk, ok bool) {
	var nb notebook
	if json.Unmarshal(data, &nb) != nil || nb.Cells == nil {
		return nil, false
	}
	code := strings.ToLower(nb.Metadata.Info.Name)
	if code == "" {
		code = strings.ToLower(nb.Metadata.Kernel.Language)
	}
	if code == "" || code == "ipython" {
		code = "python"
	}
	var crumbs []string
	at, line := 0, 1 // how far lines were counted
	for _, cell := range nb.Cells {
		off := bytes.Index(data[at:], cell.Source)
		if len(cell.Source) == 0 || off < 0 {
			continue
		}
		line += bytes.Count(data[at:at+off], []byte("\n"))
		at += off
		lines, numbers := cellLines(cell.Source, line)
		at, line = at+len(cell.Source), line+bytes.Count(cell.Source, []byte("\n"))
		language := code
		if cell.Type != "code" {
			language = "markdown"
			for _, l := range lines {
				if h := strings.TrimLeft(l, "#"); h != l && strings.HasPrefix(h, " ") && titleOf(h) != "" {
					crumbs = []string{titleOf(h)}
				}
			}
		}
		for from := 0; from < len(lines); {
			to, size := from+1, len(lines[from])
			for to < len(lines) && numbers[to] == numbers[to-1]+1 && size+len(lines[to]) < maxCell {
				size += len(lines[to]) + 1
				to++
			}
			if text := strings.Join(lines[from:to], "\n"); strings.TrimSpace(text) != "" {
				n := len(chunks)
				chunks = append(chunks, api.Chunk{
					ID: api.ChunkID(path, contentHash, n), Path: path, Text: text, StartLine: numbers[from], EndLine: numbers[to-1],
					ContentHash: contentHash, Ordinal: n, Language: language, Breadcrumb: crumbs,
				})
			}
			from = to
		}
	}
	return chunks, true
}

// cellLines are the lines of a cell's source, which begins on a line of the file, and the numbers of the lines that
// they stand on.
func cellLines(source json.RawMessage, line int) (lines []string, numbers []int) {
	var whole string
	if json.Unmarshal(source, &whole) == nil {
		return []string{strings.ReplaceAll(strings.TrimRight(whole, "\n"), "\n", " ⏎ ")}, []int{line}
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
			line += bytes.Count(source[counted:end], []byte("\n"))
			counted = end
			text := strings.ReplaceAll(strings.TrimRight(s, "\r\n"), "\n", " ⏎ ")
			lines, numbers = append(lines, text), append(numbers, line)
		}
	}
}
