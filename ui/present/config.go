package present

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
)

// Config is a project's config.json as the fields of a form. Lists are lines of text.
type Config struct {
	Include, Exclude, DocPatterns string
	RespectGitignore, IndexDocs   bool
	EnhancedToolDescriptions      bool
	MaxFileSize                   string
	MaxFiles, LazyIdleThreshold   string
	Strategy                      api.Strategy
}

// Fields of config.json (RFC 7.1).
const (
	FieldInclude   = "include"
	FieldExclude   = "exclude"
	FieldGitignore = "respectGitignore"
	FieldSize      = "maxFileSize"
	FieldFiles     = "maxFiles"
	FieldDocs      = "docPatterns"
	FieldIndexDocs = "indexDocs"
	FieldHints     = "enhancedToolDescriptions"
	FieldStrategy  = "indexingStrategy"
	FieldIdle      = "lazyIdleThreshold"
)

// ParseConfig uses the RFC's defaults for missing fields. Fields of a wrong type keep their text.
func ParseConfig(text string) (Config, error) {
	plain, err := hujson.Standardize([]byte(text))
	if err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	d := api.DefaultConfig()
	raw := struct {
		Include, Exclude, DocPatterns []string
		RespectGitignore, IndexDocs   bool
		EnhancedToolDescriptions      bool
		MaxFileSize                   string
		MaxFiles, LazyIdleThreshold   json.Number
		IndexingStrategy              api.Strategy
	}{
		Include: d.Include, Exclude: d.Exclude, DocPatterns: d.DocPatterns, RespectGitignore: d.RespectGitignore,
		IndexDocs:   d.IndexDocs,
		MaxFileSize: "1MB", MaxFiles: json.Number(fmt.Sprint(d.MaxFiles)),
		LazyIdleThreshold: json.Number(fmt.Sprint(d.LazyIdleThreshold)),
		IndexingStrategy:  d.IndexingStrategy,
	}
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(plain, &raw); err != nil && !errors.As(err, &mistyped) {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	return Config{
		Include: lines(raw.Include), Exclude: lines(raw.Exclude), DocPatterns: lines(raw.DocPatterns),
		RespectGitignore: raw.RespectGitignore, IndexDocs: raw.IndexDocs,
		EnhancedToolDescriptions: raw.EnhancedToolDescriptions,
		MaxFileSize:              raw.MaxFileSize, MaxFiles: raw.MaxFiles.String(),
		LazyIdleThreshold: raw.LazyIdleThreshold.String(),
		Strategy:          raw.IndexingStrategy,
	}, nil
}

func lines(list []string) string { return strings.Join(list, "\n") }

// Patterns returns the non-empty lines of a list field.
func Patterns(text string) []string {
	list := []string{}
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			list = append(list, l)
		}
	}
	return list
}

// number returns a whole number for JSON, or the text itself, which the app rejects with a message.
func number(text string) any {
	text = strings.TrimSpace(text)
	var n int
	if json.Unmarshal([]byte(text), &n) == nil {
		return n
	}
	return text
}

// Patch writes the differences between two forms into text. Comments, order and unknown fields are preserved.
func (c Config) Patch(text string, before Config) (string, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var ops []operation
	set := func(field string, changed bool, value any) {
		if changed {
			ops = append(ops, operation{"add", "/" + field, value})
		}
	}
	list := func(field, now, was string) {
		set(field, !slices.Equal(Patterns(now), Patterns(was)), Patterns(now))
	}
	list(FieldInclude, c.Include, before.Include)
	list(FieldExclude, c.Exclude, before.Exclude)
	set(FieldGitignore, c.RespectGitignore != before.RespectGitignore, c.RespectGitignore)
	set(FieldSize, c.MaxFileSize != before.MaxFileSize, strings.TrimSpace(c.MaxFileSize))
	set(FieldFiles, c.MaxFiles != before.MaxFiles, number(c.MaxFiles))
	list(FieldDocs, c.DocPatterns, before.DocPatterns)
	set(FieldIndexDocs, c.IndexDocs != before.IndexDocs, c.IndexDocs)
	set(FieldHints, c.EnhancedToolDescriptions != before.EnhancedToolDescriptions, c.EnhancedToolDescriptions)
	set(FieldStrategy, c.Strategy != before.Strategy, c.Strategy)
	set(FieldIdle, c.LazyIdleThreshold != before.LazyIdleThreshold, number(c.LazyIdleThreshold))
	if len(ops) == 0 {
		return text, nil
	}
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return "", fmt.Errorf("change configuration: %w", err)
	}
	var patch bytes.Buffer
	e := json.NewEncoder(&patch)
	e.SetEscapeHTML(false)
	if err := e.Encode(ops); err != nil {
		return "", fmt.Errorf("change configuration: %w", err)
	}
	if err := v.Patch(patch.Bytes()); err != nil {
		return "", fmt.Errorf("change configuration: %w", err)
	}
	return string(v.Pack()), nil
}

// ProblemOfField returns the app's message about a field, or "". Messages have the form "maxFiles must be a whole
// number above 0; 50000 is used instead."
func ProblemOfField(problems []string, field string) string {
	for _, p := range problems {
		rest, ours := strings.CutPrefix(p, field+" must be ")
		if !ours {
			continue
		}
		want, used, whole := strings.Cut(strings.TrimSuffix(rest, " is used instead."), "; ")
		if !whole {
			return T("Must be %s", rest)
		}
		return T("Must be %s; %s is used instead.", Said(want), used)
	}
	return ""
}

// The app's words for valid values, as keys of translations.
const (
	_ Text = "a list of glob patterns"
	_ Text = "true or false"
	_ Text = "a whole number above 0"
)

var Strategies = []struct {
	Value api.Strategy
	Text  Text
}{
	{api.Realtime, "As files are saved"},
	{api.Lazy, "When the computer is idle"},
	{api.Git, "With each commit"},
}

func Effect(p api.Preview, now api.Project) string {
	files := Count(p.Files, "file")
	if p.Truncated {
		files = T("at least %s", files)
	}
	switch {
	case p.Truncated, now.State == api.StateNotIndexed, p.Files == now.Files:
		return T("With these settings: %s", files)
	case p.Files < now.Files:
		return T("With these settings: %s, %s fewer than now", files, Number(now.Files-p.Files))
	}
	return T("With these settings: %s, %s more than now", files, Number(p.Files-now.Files))
}

func ByChoice(s api.Skipped) api.Skipped {
	own := api.Skipped{}
	for _, r := range []api.Reason{api.SkipExcluded, api.SkipNotInclude, api.SkipIgnored, api.SkipSize, api.SkipDocsOff} {
		if s[r] > 0 {
			own[r] = s[r]
		}
	}
	return own
}
