package project

import (
	"context"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
)

type chunks struct {
	search.Reader
	all map[string]api.Chunk
}

func (c chunks) Chunks(context.Context, api.Corpus, []string) (map[string]api.Chunk, error) {
	return c.all, nil
}

func TestRedacting(t *testing.T) {
	value := "AKIA" + "Z7Q3NWX2TLPE5RUV"
	r := redacting{chunks{all: map[string]api.Chunk{"1": {Path: "a.go", StartLine: 7,
		Text: "package a\nconst key = \"" + value + "\"\nvar other = 1"}}}}
	read, err := r.Chunks(t.Context(), api.CorpusCode, []string{"1"})
	if err != nil {
		t.Fatal(err)
	}
	c := read["1"]
	lines := strings.Split(c.Text, "\n")
	if strings.Contains(c.Text, value) || len(lines) != 3 || lines[2] != "var other = 1" || c.Path != "a.go" ||
		c.StartLine != 7 {
		t.Errorf("%+v", c)
	}
}
