package tools

import (
	"encoding/json"
	"reflect"
	"testing"

	"searchmcp/engine/api"
)

func every() []tool {
	tools := projectTools()
	for _, g := range sourceTools([]api.Site{{Tool: "search_x"}}) {
		tools = append(tools, g.tools...)
	}
	return tools
}

// TestParametersAreDescribed checks that every parameter of every tool has a description, including nested ones.
func TestParametersAreDescribed(t *testing.T) {
	for _, u := range every() {
		var check func(params []param, above string)
		check = func(params []param, above string) {
			for _, p := range params {
				if p.schema.Description == "" {
					t.Errorf("%s: %s%s has no description", u.name, above, p.schema.Name)
				}
				check(p.fields, above+p.schema.Name+".")
			}
		}
		check(u.params, "")
	}
}

// TestOutputsTakeNotes checks that every tool's answer can name unknown arguments.
func TestOutputsTakeNotes(t *testing.T) {
	for _, u := range every() {
		if u.output == nil {
			continue
		}
		if _, ok := reflect.New(reflect.TypeOf(u.output)).Interface().(noting); !ok {
			t.Errorf("%s: %T takes no note", u.name, u.output)
		}
	}
	var p createNamedParams
	unknown, err := decode(paramsOf(reflect.TypeFor[createNamedParams]()), map[string]any{"index_name": "x", "bogus": 1.0,
		"tokenizer_config": map[string]any{"stemmer": "porter", "lowercase": false}}, reflect.ValueOf(&p).Elem())
	if err != nil || !reflect.DeepEqual(unknown, []string{"bogus", "tokenizer_config.stemmer"}) || p.Tokenizer.Lowercase {
		t.Errorf("unknown %q, %v, %+v", unknown, err, p)
	}
}

// TestOutputSchemasAreStrict checks that a schema defines all required properties, as Ajv's strict mode demands.
func TestOutputSchemasAreStrict(t *testing.T) {
	type schema struct {
		Properties map[string]any
		Required   []string
		AnyOf      []schema
	}
	for _, u := range every() {
		if u.output == nil {
			continue
		}
		var s schema
		if err := json.Unmarshal(u.mcp().RawOutputSchema, &s); err != nil || len(s.AnyOf) != 2 {
			t.Fatalf("%s: %v, %+v", u.name, err, s)
		}
		for _, branch := range append(s.AnyOf, s) {
			for _, name := range branch.Required {
				if branch.Properties[name] == nil {
					t.Errorf("%s: %s is required and not defined", u.name, name)
				}
			}
		}
	}
}
