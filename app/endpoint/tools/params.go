package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

// param is an argument of a tool. It is a field of a struct, and the tags of the field describe it:
//
//	json:"top_k"     the argument's name
//	doc:"…"          its description
//	default:"10"     the JSON value of a missing argument, which also appears in the schema
//	enum:"a,b"       the allowed values
//	arg:"…"          a comma-separated list:
//	    required     the argument is required
//	    listed       only the schema requires it, because the tool has an error of its own
//	    1..50, 1..   bounds of a number, which must be an integer
//	    bounded      the schema contains the bounds
//	    string, …    the type in the schema, if it differs from the field's type
//
// google/jsonschema-go is not used, because it has no tags for defaults and bounds, and refuses unknown arguments.
type param struct {
	index    []int
	typ      reflect.Type
	schema   Schema
	fields   []param // parameters in a struct, or nil for any other type
	required bool    // a call without the argument is refused
	min, max int     // bounds of a number; a max of 0 means none
}

// refs are references to projects. A client sends a string, possibly with commas, or an array.
type refs []string

func one(ref string) refs {
	if ref == "" {
		return nil
	}
	return refs{ref}
}

type projectParam struct {
	Project string `json:"project" doc:"Path or registered name"`
}

type projectsParam struct {
	Project refs `json:"project" doc:"Paths or names, comma-separated, or 'all'"`
}

// paramsOf returns the parameters of a struct type, including those of embedded structs. It panics on a malformed tag.
func paramsOf(t reflect.Type) []param {
	var out []param
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, p := range paramsOf(f.Type) {
				p.index = append([]int{i}, p.index...)
				out = append(out, p)
			}
			continue
		}
		out = append(out, paramOf(f))
	}
	return out
}

func paramOf(f reflect.StructField) param {
	p := param{index: f.Index, typ: f.Type}
	if p.typ.Kind() == reflect.Pointer {
		p.typ = p.typ.Elem()
	}
	p.schema = Schema{
		Name: f.Tag.Get("json"), Description: f.Tag.Get("doc"), Default: json.RawMessage(f.Tag.Get("default")),
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		p.schema.Enum = strings.Split(enum, ",")
	}
	base := resultSchema(p.typ)
	p.schema.Type, p.schema.Items = base.Type, base.Items
	switch {
	case p.typ == reflect.TypeFor[refs]():
		p.schema.Type, p.schema.Items = "string", nil
	case p.typ.Kind() == reflect.Int:
		p.schema.Type = "number" // the RFC's type
	case p.typ.Kind() == reflect.Struct:
		p.fields = paramsOf(p.typ)
		for _, inner := range p.fields {
			p.schema.Properties = append(p.schema.Properties, inner.schema)
		}
	}
	bounded := false
	for word := range strings.SplitSeq(f.Tag.Get("arg"), ",") {
		low, high, isRange := strings.Cut(word, "..")
		switch {
		case word == "":
		case word == "required":
			p.required, p.schema.Required = true, true
		case word == "listed":
			p.schema.Required = true
		case word == "bounded":
			bounded = true
		case isRange:
			p.min, p.max = number(low), number(high)
		default:
			p.schema.Type = word
		}
	}
	if bounded {
		p.schema.Minimum, p.schema.Maximum = &p.min, &p.max
	}
	return p
}

func number(digits string) int {
	if digits == "" {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(fmt.Sprintf("tools: a bound that is not a number: %v", err))
	}
	return n
}

// decode checks the client's arguments and stores them in the struct target. null is treated as missing. unknown lists
// the arguments that have no parameter.
func decode(params []param, arguments any, target reflect.Value) (unknown []string, err error) {
	given, isObject := arguments.(map[string]any)
	if arguments != nil && !isObject {
		return nil, api.New(api.InvalidArgument, "The arguments must be a JSON object.", "arguments: expected an object", nil)
	}
	for name := range given {
		if !slices.ContainsFunc(params, func(p param) bool { return p.schema.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	for i := range params {
		p := &params[i]
		field := target.FieldByIndex(p.index)
		v := given[p.schema.Name]
		switch {
		case v == nil && p.required:
			text := fmt.Sprintf("The argument '%s' is missing. It must be %s.", p.schema.Name, p.expected())
			if len(unknown) > 0 {
				slices.Sort(unknown)
				text += " " + ignored(unknown)
			}
			return nil, api.New(api.InvalidArgument, text, p.schema.Name+": missing, expected "+p.expected(), nil)
		case v == nil && len(p.schema.Default) > 0:
			if err := json.Unmarshal(p.schema.Default, field.Addr().Interface()); err != nil {
				return nil, fmt.Errorf("default of %s: %w", p.schema.Name, err)
			}
		case v == nil && p.fields != nil: // the fields of the object may have defaults
			if _, err := decode(p.fields, nil, field); err != nil {
				return nil, err
			}
		case v != nil:
			more, err := p.set(field, v)
			if err != nil {
				return nil, err
			}
			unknown = append(unknown, more...)
		}
	}
	slices.Sort(unknown)
	return unknown, nil
}

// set stores v in field if v is valid for p. unknown lists the members of an object that have no parameter.
func (p *param) set(field reflect.Value, v any) (unknown []string, err error) {
	sent := v
	if s, isString := v.(string); isString {
		v = p.plain(s)
	}
	if p.fields != nil {
		if object, isObject := v.(map[string]any); isObject {
			unknown, err = decode(p.fields, object, field)
			for i := range unknown {
				unknown[i] = p.schema.Name + "." + unknown[i]
			}
			return unknown, err
		}
	} else if checked, ok := p.check(v); ok {
		value := reflect.ValueOf(checked)
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(p.typ))
			field = field.Elem()
		}
		field.Set(value.Convert(p.typ))
		return nil, nil
	}
	return nil, api.ErrArgument(p.schema.Name, fmt.Sprintf("%s, not %s", p.expected(), display.Echo(sent)))
}

// plain converts s to the parameter's type if possible, because some clients send only strings.
func (p *param) plain(s string) any {
	kind, v := p.typ.Kind(), any(nil)
	if kind == reflect.String || kind == reflect.Interface || p.typ == reflect.TypeFor[refs]() ||
		json.Unmarshal([]byte(s), &v) != nil {
		v = s
	}
	if text, isString := v.(string); isString && kind == reflect.Slice && p.typ != reflect.TypeFor[refs]() {
		return []any{text}
	}
	return v
}

func (p *param) check(v any) (checked any, ok bool) {
	switch p.typ.Kind() {
	case reflect.String:
		s, isString := v.(string)
		return s, isString && (p.schema.Enum == nil || slices.Contains(p.schema.Enum, s))
	case reflect.Bool:
		b, isBool := v.(bool)
		return b, isBool
	case reflect.Int:
		n, isNumber := v.(float64)
		most := float64(p.max)
		if p.max == 0 {
			most = math.MaxInt32
		}
		return int(n), isNumber && n == math.Trunc(n) && n >= float64(p.min) && n <= most
	case reflect.Map:
		m, isObject := v.(map[string]any)
		return m, isObject
	case reflect.Slice:
		if s, isString := v.(string); isString && p.typ == reflect.TypeFor[refs]() {
			return one(s), true
		}
		return texts(v)
	default: // any: the tool checks the value
		return v, true
	}
}

func texts(v any) ([]string, bool) {
	list, isList := v.([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		s, isString := e.(string)
		if !isString {
			return nil, false
		}
		out = append(out, s)
	}
	return out, isList
}

func (p *param) expected() string {
	switch kind := p.typ.Kind(); {
	case kind == reflect.Int && p.max > 0:
		return fmt.Sprintf("a whole number from %d to %d", p.min, p.max)
	case kind == reflect.Int:
		return fmt.Sprintf("a whole number, %d or more", p.min)
	case kind == reflect.Bool:
		return "true or false"
	case p.schema.Items != nil:
		return "an array of strings"
	case kind == reflect.Map, kind == reflect.Struct:
		return "an object"
	case p.schema.Enum != nil:
		return "one of " + strings.Join(p.schema.Enum, ", ")
	default:
		return "a string"
	}
}

func ignored(unknown []string) string {
	return "Unknown arguments were ignored: " + display.Shorten(strings.Join(unknown, ", "), display.MaxEcho) + "."
}
