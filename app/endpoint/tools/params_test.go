package tools

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func TestInstructionsAreShortEnough(t *testing.T) {
	if len(Instructions) >= 2<<10 {
		t.Errorf("%d bytes: clients cut after 2 KB", len(Instructions))
	}
}

// TestBoundsAreTheEngines checks the bounds in the tags, which can't name the engine's constants.
func TestBoundsAreTheEngines(t *testing.T) {
	for _, test := range []struct {
		tool, name    string
		min, max, def int
	}{
		{"search_code", "top_k", 1, api.MaxTopK, api.DefaultTopK},
		{"search_docs", "top_k", 1, api.MaxTopK, api.DefaultTopK},
		{"search_code", "max_tokens", 100, api.MaxResult / charsPerToken, 0},
		{"search_by_path", "limit", 1, api.MaxGlob, 20},
		{"searchLocalArchives", "citationDepth", 1, api.MaxCitationDepth, api.DefaultCitationDepth},
		{"searchLocalArchives", "limit", 1, api.MaxArchiveLimit, api.DefaultArchiveLimit},
		{"searchLocalArchives", "offset", 0, api.MaxArchiveOffset, 0},
	} {
		found := false
		for _, u := range append(projectTools(), searchLocalArchives()) {
			for _, p := range u.params {
				if u.name != test.tool || p.schema.Name != test.name {
					continue
				}
				found = true
				def := 0
				if len(p.schema.Default) > 0 {
					if err := json.Unmarshal(p.schema.Default, &def); err != nil {
						t.Fatal(err)
					}
				}
				if p.min != test.min || p.max != test.max || def != test.def {
					t.Errorf("%s %s: %d..%d, default %d; want %+v", test.tool, test.name, p.min, p.max, def, test)
				}
			}
		}
		if !found {
			t.Errorf("%s has no %s", test.tool, test.name)
		}
	}
}

func TestDecode(t *testing.T) {
	type inner struct {
		Depth int `json:"depth" arg:"1..3" default:"2"`
	}
	type params struct {
		Text   string         `json:"text" arg:"required"`
		Kind   string         `json:"kind" enum:"a,b" default:"\"a\""`
		On     *bool          `json:"on"`
		Count  int            `json:"count" arg:"1.."`
		Names  []string       `json:"names"`
		Refs   refs           `json:"refs"`
		Object map[string]any `json:"object"`
		Inner  inner          `json:"inner"`
		Any    any            `json:"any"`
	}
	yes := true
	for sent, want := range map[string]any{
		`{"text":"x"}`: params{Text: "x", Kind: "a", Inner: inner{2}},
		`{"text":"x","kind":"b","on":true,"count":7,"names":["a","b"],"refs":"r","object":{"k":1},"inner":{"depth":3},"any":[1]}`: params{
			Text: "x", Kind: "b", On: &yes, Count: 7, Names: []string{"a", "b"}, Refs: refs{"r"},
			Object: map[string]any{"k": 1.0}, Inner: inner{3}, Any: []any{1.0}},
		`{"text":"5","on":"true","count":"7","names":"a","refs":"7","object":"{\"k\":1}","inner":{"depth":"3"},"any":"1"}`: params{
			Text: "5", Kind: "a", On: &yes, Count: 7, Names: []string{"a"}, Refs: refs{"7"},
			Object: map[string]any{"k": 1.0}, Inner: inner{3}, Any: "1"},
		`{"text":"x","names":"[\"a\",\"b\"]","inner":"{\"depth\":1}"}`: params{Text: "x", Kind: "a", Names: []string{"a", "b"},
			Inner: inner{1}},
		`{"text":"x","refs":["r","s"],"inner":{}}`:     params{Text: "x", Kind: "a", Refs: refs{"r", "s"}, Inner: inner{2}},
		`{"text":"x","kind":null,"refs":"","on":null}`: params{Text: "x", Kind: "a", Inner: inner{2}},
		`null`:                             "text is missing. It must be a string",
		`{"text":null}`:                    "text is missing. It must be a string",
		`{"text":1}`:                       "text must be a string, not 1",
		`{"text":"x","kind":"c"}`:          `kind must be one of a, b, not "c"`,
		`{"text":"x","on":"yes"}`:          `on must be true or false, not "yes"`,
		`{"text":"x","count":0}`:           "count must be a whole number, 1 or more, not 0",
		`{"text":"x","count":1.5}`:         "count must be a whole number, 1 or more, not 1.5",
		`{"text":"x","names":[1]}`:         "names must be an array of strings, not [1]",
		`{"text":"x","refs":[1]}`:          "refs must be a string, not [1]",
		`{"text":"x","object":1}`:          "object must be an object, not 1",
		`{"text":"x","inner":[]}`:          "inner must be an object, not []",
		`{"text":"x","inner":{"depth":4}}`: "depth must be a whole number from 1 to 3, not 4",
		`[]`:                               "The arguments must be a JSON object.",
	} {
		var v any
		if err := json.Unmarshal([]byte(sent), &v); err != nil {
			t.Fatal(err)
		}
		var p params
		_, err := decode(paramsOf(reflect.TypeFor[params]()), v, reflect.ValueOf(&p).Elem())
		var got any = p
		var refused *api.Error
		if errors.As(err, &refused) {
			text := strings.ReplaceAll(strings.TrimPrefix(refused.UserMessage, "The argument "), "'", "")
			got, want = strings.TrimSuffix(text, "."), strings.TrimSuffix(want.(string), ".")
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", sent, got, want)
		}
	}
}
