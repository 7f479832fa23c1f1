package markup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// frontMatter splits a Markdown file into its front matter (YAML, TOML or JSON) and its text.
func frontMatter(s string) (values map[string]any, body string) {
	if !strings.HasPrefix(s, "---") && !strings.HasPrefix(s, "+++") && !strings.HasPrefix(s, ";;;") &&
		!strings.HasPrefix(s, "{") {
		return nil, s
	}
	if strings.HasPrefix(s, "{") {
		return jsonFront(s)
	}
	rest, err := frontmatter.Parse(strings.NewReader(s), &values, fences...)
	if err == nil {
		return values, string(rest)
	}
	fence := s[:3]
	if end := strings.Index(s[3:], "\n"+fence+"\n"); end >= 0 {
		return nil, s[3+end+len(fence)+2:]
	}
	return nil, s
}

var fences = []*frontmatter.Format{
	frontmatter.NewFormat("---", "---", scalarsOf),
	frontmatter.NewFormat("+++", "+++", toml.Unmarshal),
	frontmatter.NewFormat(";;;", ";;;", json.Unmarshal),
}

// scalarsOf parses YAML values as strings: the title 1.10 does not become the number 1.1. It accepts only strings and
// lists of strings, which can't be cyclic.
func scalarsOf(data []byte, into any) error {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return err
	}
	values := map[string]any{}
	*into.(*map[string]any) = values
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	pairs := root.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		switch value := cmp.Or(pairs[i+1].Alias, pairs[i+1]); {
		case value.Kind == yaml.ScalarNode && value.Tag != "!!null":
			values[pairs[i].Value] = value.Value
		case value.Kind == yaml.SequenceNode:
			list := []any{}
			for _, e := range value.Content {
				if e = cmp.Or(e.Alias, e); e.Kind == yaml.ScalarNode && e.Tag != "!!null" {
					list = append(list, e.Value)
				}
			}
			values[pairs[i].Value] = list
		}
	}
	return nil
}

func jsonFront(s string) (values map[string]any, body string) {
	d := json.NewDecoder(strings.NewReader(s))
	if !strings.HasPrefix(s, "{\n") && !strings.HasPrefix(s, "{\"") || d.Decode(&values) != nil {
		return nil, s
	}
	if body = s[d.InputOffset():]; body != "" && !strings.HasPrefix(body, "\n") {
		return nil, s
	}
	return values, body
}

func (d *Document) take(values map[string]any) {
	d.Title = scalar(values["title"])
	d.Description = scalar(values["description"])
	d.Tags = list(values["tags"])
	d.Draft = scalar(values["draft"]) == "true" || scalar(values["published"]) == "false"
	for _, key := range []string{"date", "published", "created"} {
		if d.Date = day(values[key]); d.Date != "" {
			break
		}
	}
	for _, key := range []string{"source", "url", "source_url", "canonical", "link"} {
		if s := scalar(values[key]); IsWebURL(s) {
			d.Source = s
			break
		}
	}
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case int, int64, uint64, float64, bool:
		return fmt.Sprint(v)
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return ""
}

// list returns the strings in an array, or the parts of a string between commas.
func list(v any) []string {
	var out []string
	add := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			out = append(out, s)
		}
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			add(scalar(e))
		}
	case string:
		for s := range strings.SplitSeq(v, ",") {
			add(s)
		}
	}
	return out
}

// day returns the date in a value of the front matter, or "" if the format is unknown.
func day(v any) string {
	if t, ok := v.(time.Time); ok {
		return t.Format(time.DateOnly)
	}
	s := scalar(v)
	for _, layout := range []string{
		time.DateOnly, time.RFC3339, "2006-1-2", "2006-01-02t15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
		"2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05-0700", "2006/01/02", time.RFC1123, time.RFC1123Z,
		"January 2, 2006", "2 January 2006", "Jan 2, 2006",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

func IsWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
