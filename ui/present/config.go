package present

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"searchmcp/engine/api"
)

type Config map[string]string

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

var fields = []struct {
	name  string
	value func(text string) any
}{
	{FieldInclude, patterns}, {FieldExclude, patterns}, {FieldGitignore, parsed}, {FieldSize, trimmed},
	{FieldFiles, parsed}, {FieldDocs, patterns}, {FieldIndexDocs, parsed}, {FieldHints, parsed},
	{FieldStrategy, trimmed}, {FieldIdle, parsed},
}

// ParseConfig parses config.json. Missing fields get the RFC's defaults, and values of a wrong type become strings.
func ParseConfig(text string) (Config, error) {
	plain, err := hujson.Standardize([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	var raw map[string]any
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	defaults := api.DefaultConfig()
	c := Config{FieldGitignore: fmt.Sprint(defaults.RespectGitignore), FieldIndexDocs: fmt.Sprint(defaults.IndexDocs),
		FieldHints: "false", FieldInclude: lines(defaults.Include), FieldExclude: lines(defaults.Exclude),
		FieldDocs: lines(defaults.DocPatterns), FieldSize: "1MB", FieldFiles: fmt.Sprint(defaults.MaxFiles),
		FieldIdle: fmt.Sprint(defaults.LazyIdleThreshold), FieldStrategy: string(defaults.IndexingStrategy)}
	for name := range c {
		if v := raw[name]; v != nil {
			c[name] = shownValue(v)
		}
	}
	return c, nil
}

func shownValue(v any) string {
	list, is := v.([]any)
	if !is {
		return fmt.Sprint(v)
	}
	var texts []string
	for _, x := range list {
		texts = append(texts, fmt.Sprint(x))
	}
	return lines(texts)
}

func lines(list []string) string { return strings.Join(list, "\n") }

func patterns(text string) any {
	list := []string{}
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			list = append(list, l)
		}
	}
	return list
}

func trimmed(text string) any { return strings.TrimSpace(text) }

func parsed(text string) any {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if text == "true" || text == "false" {
		return text == "true"
	}
	return text
}

// Patch changes the fields of config.json that differ between before and c. It preserves comments, order and unknown
// fields.
func (c Config) Patch(text string, before Config) (string, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var ops []operation
	for _, f := range fields {
		if now := f.value(c[f.name]); !reflect.DeepEqual(now, f.value(before[f.name])) {
			ops = append(ops, operation{"add", "/" + f.name, now})
		}
	}
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

// ProblemOfField returns the app's message about a field, such as "maxFiles must be a whole number above 0; 50000 is
// used instead.", or "".
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
		return T("Must be %s; %s is used instead.", Sentence(want), used)
	}
	return ""
}

// Descriptions of valid values in the app's messages.
const (
	_ Text = "a list of glob patterns"
	_ Text = "true or false"
	_ Text = "a whole number above 0"
)

var Strategies = []struct {
	Value api.Strategy
	Text  Text
}{
	{api.Realtime, "As files are saved"}, {api.Lazy, "When the computer is idle"}, {api.Git, "With each commit"},
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
