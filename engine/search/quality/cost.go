package quality

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/search/quality/token"
)

// Limits are the tokens within which the right file is to have been shown.
var Limits = []int{300, 500, 1000, 2000}

// Cost is what an answer costs its reader, in tokens. What is never shown costs infinitely much.
type Cost struct {
	Answer float64 // all of it
	File   float64 // until the first answering file has been shown, its result included
	Line   float64 // until an answer's telling lines have; until the file where the answer has none
}

// envelope is what stands around the results of an answer.
const envelope = `{"results":[],"totalResults":12,"searchTimeMs":12,"truncated":true}`

// cost adds up an answer's results as an assistant reads them.
func (q Question) cost(found []Result) (Cost, error) {
	sum, err := token.Count(envelope)
	if err != nil {
		return Cost{}, err
	}
	c := Cost{File: math.Inf(1), Line: math.Inf(1)}
	for _, r := range given(found) {
		n, err := tokens(r.read)
		if err != nil {
			return Cost{}, err
		}
		sum += n
		for _, t := range q.Answer {
			if t.Path != r.Path {
				continue
			}
			c.File = min(c.File, float64(sum))
			if t.Anchor == "" || containsLine(r.Text, t.Anchor) {
				c.Line = min(c.Line, float64(sum))
			}
		}
	}
	c.Answer = float64(sum)
	return c, nil
}

// counted remembers the tokens of texts: files and chunks are shown for many questions.
var counted sync.Map

func tokens(s string) (int, error) {
	if n, ok := counted.Load(s); ok {
		return n.(int), nil
	}
	n, err := token.Count(s)
	if err == nil {
		counted.Store(s, n)
	}
	return n, err
}

// encoded is a hit as the endpoint gives it to a client.
func encoded(h api.Hit) (string, error) {
	return element(struct {
		Path       string  `json:"path"`
		Text       string  `json:"text"`
		Score      float64 `json:"score"`
		StartLine  int     `json:"startLine"`
		EndLine    int     `json:"endLine"`
		Breadcrumb string  `json:"breadcrumb,omitempty"`
	}{h.Path, h.Text, math.Round(h.Score*100) / 100, h.StartLine, h.EndLine, h.Context()})
}

// encodedMore is what is shown of a hit's file behind all results.
func encodedMore(h api.Hit) (string, error) {
	return element(struct {
		Path string `json:"path"`
		Text string `json:"text"`
	}{h.Path, h.More})
}

// element is a value as it stands in a list.
func element(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n") + ",", err
}

// costs are the costs of many answers.
type costs []Cost

func (c costs) median(of func(Cost) float64) string {
	if len(c) == 0 {
		return "–"
	}
	all := make([]float64, len(c))
	for i, one := range c {
		all[i] = of(one)
	}
	slices.Sort(all)
	if m := all[len(all)/2]; !math.IsInf(m, 1) {
		return fmt.Sprintf("%.0f", m)
	}
	return "never"
}

// within is the share whose file was shown within limit tokens.
func (c costs) within(limit int) float64 {
	n := 0
	for _, one := range c {
		if one.File <= float64(limit) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(c)))
}

// row writes them as cells of a table.
func (c costs) row() string {
	cells := []string{
		c.median(func(c Cost) float64 { return c.Answer }), c.median(func(c Cost) float64 { return c.File }),
		c.median(func(c Cost) float64 { return c.Line }),
	}
	for _, limit := range Limits {
		cells = append(cells, fmt.Sprintf("%.3f", c.within(limit)))
	}
	return strings.Join(cells, "\t")
}
