package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"searchmcp/app/endpoint/prompts"
	"searchmcp/app/endpoint/tools"
)

// schema is as much of a JSON schema as our tools use.
type schema struct {
	Type        any               `json:"type"` // a name, or several
	Description string            `json:"description"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	Items       *schema           `json:"items"`
	Properties  properties        `json:"properties"`
	Required    []string          `json:"required"`
	AnyOf       []schema          `json:"anyOf"`
}

// properties keep the order that they have in the schema.
type properties []property

type property struct {
	name string
	schema
}

// UnmarshalJSON reads an object field by field.
func (p *properties) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("read properties: %w", err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return fmt.Errorf("read properties: %w", err)
		}
		next := property{name: fmt.Sprint(name)}
		if err := d.Decode(&next.schema); err != nil {
			return fmt.Errorf("read property %v: %w", name, err)
		}
		*p = append(*p, next)
	}
	return nil
}

func toolsPage() (string, error) {
	var b strings.Builder
	b.WriteString("# Tools and prompts\n\n" + generated +
		"What an assistant is offered over MCP. A result has the answer twice, as text and as structure; the " +
		"tables below are the\n" +
		"structure. An error has `isError` and the three fields `code`, `userMessage` and `developerMessage`, " +
		"except where a tool says\n" +
		"otherwise; [the guide](../guide.md#troubleshooting-by-error-code) says what helps.\n\n")
	all := tools.All()
	for _, t := range all {
		fmt.Fprintf(&b, "* [`%s`](#%s): %s\n", t.Name, anchor(t.Name), prose(t.Title))
	}
	for _, t := range all {
		if err := writeTool(&b, t); err != nil {
			return "", fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	b.WriteString(
		"\n## Prompts\n\nOpenings that editors offer to a person, mostly as commands.\n\n" +
			"| prompt | purpose | argument |\n| --- | --- | --- |\n")
	for _, p := range prompts.All() {
		fmt.Fprintf(&b, "| `%s` | %s %s | `%s`: %s |\n", p.Name, cell(p.Title+"."), cell(p.Description), p.Argument,
			cell(p.Meaning))
	}
	b.WriteString(
		"\n## Resources\n\n`resources/list` has the session's documents, 200 a page; `resources/read` takes `docs://` and " +
			"a path below the folder. Paths of all\n" +
			"folders but the first begin with `@name/`. HTML is served as Markdown. Refusals carry MCP's codes: −32002 for " +
			"what is not there or not\n" +
			"served (−32602 for clients of revision 2026-07-28), −32602 for an invalid address.\n")
	return b.String(), nil
}

func writeTool(b *strings.Builder, t tools.Reference) error {
	fmt.Fprintf(b, "\n## `%s`\n\n%s\n\n", t.Name, prose(t.Description))
	if t.Enhanced != "" {
		fmt.Fprintf(b, "With `enhancedToolDescriptions`: %s\n\n", prose(t.Enhanced))
	}
	fmt.Fprintf(b, "Served: %s", strings.ToLower(t.Served[:1])+t.Served[1:])
	if t.Asks {
		b.WriteString(" A person is asked first.")
	}
	b.WriteString("\n\n")
	var in schema
	if err := json.Unmarshal(t.Input, &in); err != nil {
		return fmt.Errorf("read input schema: %w", err)
	}
	if len(in.Properties) == 0 {
		b.WriteString("No arguments.\n")
	} else {
		b.WriteString("| argument | type | required | meaning |\n| --- | --- | --- | --- |\n")
		arguments(b, "", in)
	}
	if t.Output == nil {
		b.WriteString("\nThe answer is as the tool's specification prints it.\n")
		return nil
	}
	var out schema
	if err := json.Unmarshal(t.Output, &out); err != nil {
		return fmt.Errorf("read output schema: %w", err)
	}
	b.WriteString("\n| field of the answer | type |\n| --- | --- |\n")
	fields(b, "", out)
	return nil
}

func arguments(b *strings.Builder, prefix string, s schema) {
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	for _, p := range s.Properties {
		meaning := cell(p.Description)
		if p.Default != nil {
			meaning += fmt.Sprintf(" Default: `%s`.", p.Default)
		}
		if p.Minimum != nil && p.Maximum != nil {
			meaning += fmt.Sprintf(" From %v to %v.", *p.Minimum, *p.Maximum)
		}
		yes := "no"
		if required[p.name] {
			yes = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+p.name, kind(p.schema), yes, strings.TrimSpace(meaning))
		arguments(b, prefix+p.name+".", p.schema)
	}
}

func fields(b *strings.Builder, prefix string, s schema) {
	for _, p := range s.Properties {
		fmt.Fprintf(b, "| `%s` | %s |\n", prefix+p.name, kind(p.schema))
		fields(b, prefix+p.name+".", p.schema)
		if p.Items != nil {
			fields(b, prefix+p.name+"[].", *p.Items)
		}
	}
}

// kind names a type.
func kind(s schema) string {
	text := ""
	switch t := s.Type.(type) {
	case string:
		text = t
	case []any:
		var all []string
		for _, one := range t {
			all = append(all, fmt.Sprint(one))
		}
		text = strings.Join(all, " or ")
	default:
		var all []string
		for _, one := range s.AnyOf {
			all = append(all, kind(one))
		}
		sort.Strings(all)
		if text = strings.Join(all, " or "); text == "" {
			text = "any"
		}
	}
	if text == "array" && s.Items != nil {
		text = "array of " + kind(*s.Items)
	}
	if len(s.Enum) > 0 {
		var all []string
		for _, v := range s.Enum {
			all = append(all, "`"+string(v)+"`")
		}
		text += ": " + strings.Join(all, ", ")
	}
	return text
}

// prose shows angle brackets as such: Markdown takes them for HTML.
func prose(text string) string { return strings.ReplaceAll(text, "<", "&lt;") }

// cell makes a text fit into a table: no line's end, no bar.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// anchor is that of a heading as code hosts make it: small letters, spaces as hyphens, nothing but letters, digits, -
// and _.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-', r == '_', r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}
