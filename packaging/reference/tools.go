package main

import (
	"fmt"
	"strings"

	"searchmcp/app/endpoint/tools"
)

func toolList() string {
	var b strings.Builder
	all := tools.All()
	for _, t := range all {
		fmt.Fprintf(&b, "* [`%s`](#%s): %s\n", t.Name, anchor.Replace(strings.ToLower(t.Name)), prose(t.Title))
	}
	for _, t := range all {
		writeTool(&b, t)
	}
	return b.String()
}

func writeTool(b *strings.Builder, t tools.Reference) {
	fmt.Fprintf(b, "\n## `%s`\n\n%s\n\n", t.Name, prose(t.Description))
	if t.Enhanced != "" {
		fmt.Fprintf(b, "With `enhancedToolDescriptions`: %s\n\n", prose(t.Enhanced))
	}
	fmt.Fprintf(b, "Served: %s", strings.ToLower(t.Served[:1])+t.Served[1:])
	if t.Asks {
		b.WriteString(" The user is asked first.")
	}
	b.WriteString("\n\n")
	if len(t.Arguments) == 0 {
		b.WriteString("No arguments.\n")
	} else {
		b.WriteString("| argument | type | required | meaning |\n| --- | --- | --- | --- |\n")
		arguments(b, "", t.Arguments)
	}
	if t.Output == nil {
		b.WriteString("\nThe answer has the form in the tool's specification.\n")
		return
	}
	b.WriteString("\n| field | type |\n| --- | --- |\n")
	fields(b, "", t.Fields)
}

func arguments(b *strings.Builder, prefix string, all []tools.Schema) {
	for _, p := range all {
		meaning := cell(p.Description)
		if len(p.Default) > 0 {
			meaning += fmt.Sprintf(" Default: `%s`.", p.Default)
		}
		if p.Minimum != nil && p.Maximum != nil {
			meaning += fmt.Sprintf(" From %v to %v.", *p.Minimum, *p.Maximum)
		}
		yes := "no"
		if p.Required {
			yes = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+p.Name, kind(p), yes, strings.TrimSpace(meaning))
		arguments(b, prefix+p.Name+".", p.Properties)
	}
}

func fields(b *strings.Builder, prefix string, all []tools.Schema) {
	for _, p := range all {
		fmt.Fprintf(b, "| `%s` | %s |\n", prefix+p.Name, kind(p))
		fields(b, prefix+p.Name+".", p.Properties)
		if p.Items != nil {
			fields(b, prefix+p.Name+"[].", p.Items.Properties)
		}
	}
}

func kind(s tools.Schema) string {
	text := fmt.Sprint(s.Type)
	if two, ok := s.Type.([]any); ok {
		text = fmt.Sprintf("%v or %v", two...)
	}
	if text == "array" && s.Items != nil {
		text = "array of " + kind(*s.Items)
	}
	if len(s.Enum) > 0 {
		text += ": `\"" + strings.Join(s.Enum, "\"`, `\"") + "\"`"
	}
	return text
}

// prose escapes angle brackets, which Markdown parses as HTML.
func prose(text string) string { return strings.ReplaceAll(text, "<", "&lt;") }

// cell escapes newlines and bars for a table cell.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// anchor turns a tool's name into the anchor of its heading.
var anchor = strings.NewReplacer("<", "", ">", "")
