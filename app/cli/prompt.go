package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"searchmcp/app/client"
)

// The two fields of the app's yes-or-no form; accepting the form is the answer, the fields refine it.
const (
	fieldConfirm = "confirm"
	fieldAlways  = "always"
)

// elicit puts a form of the app to the person at this terminal.
func (v *invocation) elicit(ctx context.Context, e client.Elicitation) (client.ElicitResult, error) {
	fields := e.RequestedSchema.Properties
	_, confirms := fields[fieldConfirm]
	switch {
	case v.yes && !v.agreed && (confirms || len(fields) == 0):
		v.agreed = true
		fmt.Fprintf(v.Err, "%s\nConfirmed beforehand by --yes.\n", clean(e.Message))
		return accepted(confirms, false), nil
	case !v.terminal:
		v.unasked = true
		return client.ElicitResult{Action: client.ElicitCancel}, nil
	}
	fmt.Fprintf(v.Err, "\n%s\n\n", clean(e.Message))
	if confirms || len(fields) == 0 {
		_, canAlways := fields[fieldAlways]
		return v.confirm(ctx, confirms, canAlways)
	}
	return v.fill(ctx, e.RequestedSchema)
}

func accepted(confirms, always bool) client.ElicitResult {
	r := client.ElicitResult{Action: client.ElicitAccept, Content: map[string]any{}}
	if confirms {
		r.Content[fieldConfirm] = true
	}
	if always {
		r.Content[fieldAlways] = true
	}
	return r
}

// confirm asks a yes-or-no question. Only a clear yes is one.
func (v *invocation) confirm(ctx context.Context, confirms, canAlways bool) (client.ElicitResult, error) {
	question := "Go ahead? [y/N] "
	if canAlways {
		question = "Go ahead? [y/N, a = yes and always for this project] "
	}
	answer, err := v.ask(ctx, question)
	if err != nil {
		return client.ElicitResult{}, err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return accepted(confirms, false), nil
	case "a", "always":
		if canAlways {
			return accepted(confirms, true), nil
		}
	}
	return client.ElicitResult{Action: client.ElicitDecline}, nil
}

// fill asks for the fields of a form one after the other, the required ones first. An empty answer takes the default;
// to a required field without one it declines.
func (v *invocation) fill(ctx context.Context, s client.Schema) (client.ElicitResult, error) {
	content := map[string]any{}
	for _, name := range order(s) {
		required := slices.Contains(s.Required, name)
		p := s.Properties[name]
		text, err := v.ask(ctx, v.question(name, p))
		if err != nil {
			return client.ElicitResult{}, err
		}
		value, ok := read(p, text)
		switch {
		case ok:
			content[name] = value
		case text != "":
			fmt.Fprintln(v.Err, "That is none of the possible answers.")
			return client.ElicitResult{Action: client.ElicitDecline}, nil
		case required && len(p.Default) == 0:
			return client.ElicitResult{Action: client.ElicitDecline}, nil
		case len(p.Default) > 0:
			content[name] = p.Default
		}
	}
	return client.ElicitResult{Action: client.ElicitAccept, Content: content}, nil
}

func order(s client.Schema) []string {
	names := slices.Clone(s.Required)
	var rest []string
	for name := range s.Properties {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(names, rest...)
}

func (v *invocation) question(name string, p client.Property) string {
	title := p.Title
	if title == "" {
		title = name
	}
	_, titles := p.Choices()
	for i, t := range titles {
		fmt.Fprintf(v.Err, "  %d  %s\n", i+1, clean(t))
	}
	switch {
	case len(titles) > 0:
		return fmt.Sprintf("%s [1-%d] ", clean(title), len(titles))
	case p.Type == "boolean":
		return clean(title) + " [y/N] "
	}
	return clean(title) + ": "
}

// read turns what was typed into a field's value.
func read(p client.Property, text string) (any, bool) {
	values, _ := p.Choices()
	if len(values) > 0 {
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(values) {
			return values[n-1], true
		}
		return text, slices.Contains(values, text)
	}
	switch p.Type {
	case "boolean":
		yes := strings.EqualFold(text, "y") || strings.EqualFold(text, "yes")
		return yes, text != ""
	case "integer", "number":
		var n json.Number
		return n, json.Unmarshal([]byte(text), &n) == nil
	}
	return text, text != ""
}

// ask shows a question and reads one line. The end of the input is an empty answer.
func (v *invocation) ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(v.Err, question)
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() { // hangs in the terminal until a line is typed or the process ends
		text, err := readLine(v.In)
		typed <- line{text, err}
	}()
	select {
	case l := <-typed:
		if l.err != nil && !errors.Is(l.err, io.EOF) {
			return "", fmt.Errorf("read the answer: %w", l.err)
		}
		return strings.TrimSpace(l.text), nil
	case <-ctx.Done():
		fmt.Fprintln(v.Err)
		return "", context.Cause(ctx)
	}
}

// readLine reads no further than the newline: the next question reads on from there.
func readLine(r io.Reader) (string, error) {
	if b, ok := r.(*bufio.Reader); ok {
		return b.ReadString('\n')
	}
	var text []byte
	for one := make([]byte, 1); ; {
		n, err := r.Read(one)
		if n == 1 && one[0] != '\n' {
			text = append(text, one[0])
		}
		if err != nil || (n == 1 && one[0] == '\n') {
			return string(text), err
		}
	}
}
