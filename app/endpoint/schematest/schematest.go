// Package schematest checks values against JSON schemas. Unlike the schemas themselves, it refuses undeclared fields.
package schematest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var compiled sync.Map

func Validate(t testing.TB, schema, value []byte) error {
	t.Helper()
	known, ok := compiled.Load(string(schema))
	if !ok {
		s := read(t, schema)
		closed(s)
		c := jsonschema.NewCompiler()
		if err := c.AddResource("schema.json", s); err != nil {
			t.Fatal(err)
		}
		var err error
		if known, err = c.Compile("schema.json"); err != nil {
			t.Fatal(err)
		}
		compiled.Store(string(schema), known)
	}
	return known.(*jsonschema.Schema).Validate(read(t, value))
}

func read(t testing.TB, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func closed(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if s["properties"] != nil {
			s["additionalProperties"] = false
		}
		for name, inner := range s {
			if name != "anyOf" { // the branches of anyOf only list required fields
				closed(inner)
			}
		}
	case []any:
		for _, inner := range s {
			closed(inner)
		}
	}
}
