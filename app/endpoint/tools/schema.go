package tools

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Schema is the part of JSON Schema that our tools use. Its members are in the order of the RFC.
type Schema struct {
	Name     string `json:"-"`
	Required bool   `json:"-"`

	Type        any             `json:"type,omitempty"` // a type or a list
	Enum        []string        `json:"enum,omitempty"`
	Items       *Schema         `json:"items,omitempty"`
	Properties  properties      `json:"properties,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Description string          `json:"description,omitempty"`
	Minimum     *int            `json:"minimum,omitempty"`
	Maximum     *int            `json:"maximum,omitempty"`
}

type properties []Schema

func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, s := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", s.Name, mustEncode(s))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode returns v as compact JSON without HTML escapes, which would cost models more tokens.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// mustEncode encodes a constant of this package. It panics on an error, which any test would detect.
func mustEncode(v any) []byte {
	b, err := encode(v)
	if err != nil {
		panic(fmt.Sprintf("tools: constant not encodable: %v", err))
	}
	return b
}

func inputSchema(params []param) json.RawMessage {
	list, required := properties{}, []string{}
	for _, p := range params {
		list = append(list, p.schema)
		if p.schema.Required {
			required = append(required, p.schema.Name)
		}
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":%s,"required":%s}`,
		mustEncode(list), mustEncode(required)))
}

// beyondRFC is the type of a blank field in a result. The RFC defines only the fields before it.
type beyondRFC struct{}

// outputSchema derives a schema from the type of v. An error with the fields in ofError is valid too, because strict
// clients validate errors.
func outputSchema(v any, ofError ...string) json.RawMessage {
	list, required := resultOf(reflect.TypeOf(v))
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":%s,"anyOf":[%s,%s]}`,
		mustEncode(list), requires(required), requires(ofError)))
}

// requires returns a schema that requires and defines the given properties, as Ajv demands in strict mode.
func requires(names []string) []byte {
	defined := make(properties, len(names))
	for i, name := range names {
		defined[i].Name = name
	}
	return fmt.Appendf(nil, `{"properties":%s,"required":%s}`, mustEncode(defined), mustEncode(names))
}

func resultOf(t reflect.Type) (list properties, required []string) {
	list, required = properties{}, []string{}
	rfc := true
	for i := range t.NumField() {
		f := t.Field(i)
		rfc = rfc && f.Type != reflect.TypeFor[beyondRFC]()
		if f.Anonymous {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			more, always := resultOf(inner)
			list = append(list, more...)
			if rfc {
				required = append(required, always...)
			}
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s := resultSchema(f.Type)
		s.Name, s.Description = name, f.Tag.Get("doc")
		omitted := strings.Contains(options, "omit")
		if f.Type.Kind() == reflect.Pointer && !omitted {
			s.Type = []any{s.Type, "null"}
		}
		list = append(list, s)
		if rfc && !omitted {
			required = append(required, name)
		}
	}
	return list, required
}

func resultSchema(t reflect.Type) Schema {
	switch t.Kind() {
	case reflect.String:
		return Schema{Type: "string"}
	case reflect.Bool:
		return Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return Schema{Type: "integer"}
	case reflect.Float64:
		return Schema{Type: "number"}
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() { // raw JSON is always an object here
			return Schema{Type: "object"}
		}
		items := resultSchema(t.Elem())
		return Schema{Type: "array", Items: &items}
	case reflect.Struct:
		if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return Schema{Type: "string"}
		}
		list, _ := resultOf(t)
		return Schema{Type: "object", Properties: list}
	case reflect.Pointer:
		return resultSchema(t.Elem())
	}
	return Schema{Type: "object"}
}
