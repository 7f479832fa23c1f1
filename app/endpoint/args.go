package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"searchmcp/engine/api"
)

// kind is the JSON type of an argument.
type kind string

const (
	kindString  kind = "string"
	kindNumber  kind = "number" // whole numbers; "number" is the RFC's word
	kindBoolean kind = "boolean"
	kindList    kind = "array"  // of texts
	kindObject  kind = "object" // as it comes
	kindAny     kind = "any"    // checked by the tool
)

// param describes one argument. The schema that clients read and the check of what they send come from it.
type param struct {
	name        string
	kind        kind
	description string
	required    bool
	min, max    int      // of a number; max 0 means none
	def         any      // default, nil for none
	oneOf       []string // of a text: the values it may have; nil means any
	many        bool     // of a text: an array of texts will do, too
}

// projectParam is on every tool that is about a project.
var projectParam = param{name: "project", kind: kindString,
	description: "Another project than the session's: path or name"}

// projectsParam is on the searches, which may cover several. Its schema stays a text: not every client takes a choice of
// types.
var projectsParam = param{name: projectParam.name, kind: kindString, many: true,
	description: "Other projects than the session's: paths or names, comma-separated, or 'all'"}

// schema is the JSON of a param within the input schema. The order is the RFC's.
type schema struct {
	Type        kind   `json:"type"`
	Default     any    `json:"default,omitempty"`
	Description string `json:"description"`
}

func inputSchema(params []param) json.RawMessage {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", p.name, mustEncode(schema{p.kind, p.def, p.description}))
		if p.required {
			required = append(required, p.name)
		}
	}
	fmt.Fprintf(&b, `},"required":%s}`, mustEncode(required))
	return json.RawMessage(b.String())
}

// mustEncode encodes constants of this package; a failure is found by the first test that makes a server.
func mustEncode(v any) []byte {
	b, err := encode(v)
	if err != nil {
		panic(fmt.Sprintf("endpoint: constant not encodable: %v", err))
	}
	return b
}

// arguments are checked arguments. Those that were not given have their default.
type arguments struct {
	values  map[string]any // string, int or bool
	unknown []string
}

// parseArguments checks what a client sent against params. An argument that is null counts as not given.
func parseArguments(params []param, sent any) (arguments, error) {
	a := arguments{values: map[string]any{}}
	given, isObject := sent.(map[string]any)
	if sent != nil && !isObject {
		return a, api.New(api.InvalidArgument, "The arguments must be a JSON object.", "arguments: expected an object", nil)
	}
	for _, p := range params {
		v := given[p.name]
		switch {
		case v == nil && p.required:
			return a, api.ErrArgument(p.name, "given: "+p.expected())
		case v == nil && p.def != nil:
			a.values[p.name] = p.def
		case v != nil:
			checked, err := p.check(v)
			if err != nil {
				return a, err
			}
			a.values[p.name] = checked
		}
	}
	for name := range given {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
			a.unknown = append(a.unknown, name)
		}
	}
	slices.Sort(a.unknown)
	return a, nil
}

func (p param) check(v any) (any, error) {
	switch p.kind {
	case kindString:
		if s, isString := v.(string); isString && (p.oneOf == nil || slices.Contains(p.oneOf, s)) {
			return s, nil
		}
		if list, isList := texts(v); isList && p.many {
			return list, nil
		}
	case kindAny:
		return v, nil
	case kindObject:
		if m, isObject := v.(map[string]any); isObject {
			return m, nil
		}
	case kindList:
		if list, isList := texts(v); isList {
			return list, nil
		}
	case kindBoolean:
		if b, isBool := v.(bool); isBool {
			return b, nil
		}
	case kindNumber:
		n, isNumber := v.(float64)
		if isNumber && n == math.Trunc(n) && n >= float64(p.min) && (p.max == 0 || n <= float64(p.max)) && n <= math.MaxInt32 {
			return int(n), nil
		}
	}
	return nil, api.ErrArgument(p.name, fmt.Sprintf("%s, not %s", p.expected(), echo(v)))
}

// expected says in words what an argument must be.
func (p param) expected() string {
	switch {
	case p.kind == kindNumber && p.max > 0:
		return fmt.Sprintf("a whole number from %d to %d", p.min, p.max)
	case p.kind == kindNumber:
		return fmt.Sprintf("a whole number, %d or more", p.min)
	case p.kind == kindBoolean:
		return "true or false"
	case p.kind == kindList:
		return "an array of texts"
	case p.kind == kindObject:
		return "an object"
	case p.oneOf != nil:
		return "one of " + strings.Join(p.oneOf, ", ")
	default:
		return "a text"
	}
}

// echo shows a wrong value.
func echo(v any) string {
	b, err := encode(v)
	if err != nil {
		return "that"
	}
	return shorten(visible(string(b)), maxEcho)
}

// text returns a string argument, "" if it was not given.
func (a arguments) text(name string) string {
	s, _ := a.values[name].(string)
	return s
}

// texts reads an array of texts.
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

// several returns an argument that may be many, nil if it was not given.
func (a arguments) several(name string) []string {
	if s := a.text(name); s != "" {
		return []string{s}
	}
	return a.list(name)
}

// list returns an array argument, nil if it was not given.
func (a arguments) list(name string) []string {
	list, _ := a.values[name].([]string)
	return list
}

// object returns an object argument, nil if it was not given.
func (a arguments) object(name string) map[string]any {
	m, _ := a.values[name].(map[string]any)
	return m
}

// number returns a number argument, 0 if it was not given and has no default.
func (a arguments) number(name string) int {
	n, _ := a.values[name].(int)
	return n
}

// flag returns a boolean argument, nil if it was not given.
func (a arguments) flag(name string) *bool {
	b, given := a.values[name].(bool)
	if !given {
		return nil
	}
	return &b
}

func (a arguments) ignored() string {
	return "Unknown arguments were ignored: " + shorten(strings.Join(a.unknown, ", "), maxEcho) + "."
}

// checkGlob refuses a pattern that matches nothing because it is empty or broken.
func checkGlob(pattern string) error {
	switch {
	case strings.TrimSpace(pattern) == "":
		return api.ErrInvalidPattern(pattern, errors.New("the pattern is empty"))
	case len(pattern) > maxPattern:
		return api.ErrInvalidPattern(shorten(pattern, maxEcho), fmt.Errorf("the pattern is longer than %d bytes", maxPattern))
	case !doublestar.ValidatePattern(pattern):
		return api.ErrInvalidPattern(shorten(pattern, maxEcho), doublestar.ErrBadPattern)
	}
	return nil
}

// maxPattern is well above any glob that a person writes; matching costs time with each star.
const maxPattern = 1024
