package project

import (
	"encoding/json"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestRedact looks for a secret in every text of a hit, those included that other texts may still be made of.
func TestRedact(t *testing.T) {
	value := "AKIA" + "Z7Q3NWX2TLPE5RUV"
	text := "package a\nconst key = \"" + value + "\"\nvar other = 1"
	lines := func() (out []api.Line) {
		for i, s := range strings.Split(text, "\n") {
			out = append(out, api.Line{Number: i + 1, Text: s})
		}
		return out
	}
	hits := []api.Hit{{Path: "a.go", Text: text, More: text, Lines: lines(),
		Excerpt: &api.Excerpt{Text: text, Lines: lines(), Others: lines()}}}
	redact(hits)
	h := hits[0]
	all, err := json.Marshal([]any{h.Text, h.More, h.Lines, h.Excerpt.Text, h.Excerpt.Lines, h.Excerpt.Others})
	if err != nil || strings.Contains(string(all), value) || strings.Count(string(all), "var other = 1") != 6 {
		t.Errorf("%s, %v", all, err)
	}
	if h.Lines[2].Text != "var other = 1" || h.Lines[2].Number != 3 {
		t.Errorf("lines moved: %+v", h.Lines)
	}
}
