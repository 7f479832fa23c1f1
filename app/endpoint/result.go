package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// encode writes compact JSON without HTML escapes: a model reads "<" better than "\u003c".
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// beyondRFC marks where the RFC's fields of a result end. Those before it are required by the output schema; all others
// are there too, but a schema that repeats their names only takes room in an assistant's context.
type beyondRFC struct{}

// notes are sentences for the reader of a result. They stand at its end.
type notes struct {
	Notes []string `json:"notes,omitempty"`
}

func (n *notes) addNote(text string) { n.Notes = append(n.Notes, text) }

type noting interface{ addNote(text string) }

// bounded results can give up some of their content. shrink makes the result smaller, by about the share that is too
// much, and reports whether it could.
type bounded interface{ shrink(share float64) bool }

// fit shrinks a result until its text has at most limit characters.
func fit(b bounded, limit int) ([]byte, error) {
	for {
		text, err := encode(b)
		if err != nil {
			return nil, err
		}
		n := utf8.RuneCount(text)
		if n <= limit || !b.shrink(float64(limit)/float64(n)) {
			return text, nil
		}
	}
}

// outputSchema describes the type of a result: its properties in their order, those that are always there required. An
// error (RFC 6.1) has its own fields instead, and strict clients check errors too, hence anyOf.
func outputSchema(v any) json.RawMessage {
	t := reflect.TypeOf(v)
	var properties strings.Builder
	required := []string{}
	fieldsOf(t, &properties, &required)
	return json.RawMessage(fmt.Sprintf(
		`{"type":"object","properties":{%s},"anyOf":[{"required":%s},{"required":["code","userMessage","developerMessage"]}]}`,
		properties.String(), mustEncode(required)))
}

func fieldsOf(t reflect.Type, b *strings.Builder, required *[]string) {
	rfc := true
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			rfc = false
			fieldsOf(f.Type, b, &[]string{})
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" || f.Tag.Get("doc") == "-" {
			continue // "-": detail that explains itself where it appears
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:%s", name, typeSchema(f.Type, f.Tag.Get("doc")))
		if rfc && !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

func typeSchema(t reflect.Type, description string) string {
	detail := t.Kind() == reflect.Pointer // optional detail: what it holds speaks for itself
	if detail {
		t = t.Elem()
	}
	doc := ""
	if description != "" {
		doc = fmt.Sprintf(`,"description":%s`, mustEncode(description))
	}
	switch t.Kind() {
	case reflect.String:
		return `{"type":"string"` + doc + `}`
	case reflect.Bool:
		return `{"type":"boolean"` + doc + `}`
	case reflect.Int, reflect.Int64:
		return `{"type":"integer"` + doc + `}`
	case reflect.Float64:
		return `{"type":"number"` + doc + `}`
	case reflect.Slice:
		return `{"type":"array","items":` + typeSchema(t.Elem(), "") + doc + `}`
	case reflect.Struct:
		if detail {
			return `{"type":"object"` + doc + `}`
		}
		var b strings.Builder
		fieldsOf(t, &b, &[]string{})
		return `{"type":"object","properties":{` + b.String() + `}` + doc + `}`
	default:
		return `{"type":"object"` + doc + `}`
	}
}
