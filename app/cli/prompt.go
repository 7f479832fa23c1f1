package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"searchmcp/app/socket/client"
	"searchmcp/assets/translations"
)

const (
	fieldConfirm = "confirm" // yes or no
	fieldAlways  = "always"  // the answer also applies to later calls
)

func (v *invocation) elicit(ctx context.Context, e client.Elicitation) (client.ElicitResult, error) {
	fields := e.RequestedSchema.Properties
	_, confirms := fields[fieldConfirm]
	switch {
	case !confirms && len(fields) > 0: // the form offers projects; terminal users pass --project instead
		return client.ElicitResult{Action: client.ElicitDecline}, nil
	case v.yes && !v.agreed:
		v.agreed = true
		fmt.Fprintf(v.Err, "%s\n%s\n", translated(e.Message), say("Confirmed beforehand by --yes."))
		return accepted(confirms, false), nil
	case !v.terminal:
		v.unasked = true
		return client.ElicitResult{Action: client.ElicitCancel}, nil
	}
	fmt.Fprintf(v.Err, "\n%s\n\n", translated(e.Message))
	_, canAlways := fields[fieldAlways]
	yes, always, err := v.confirm(ctx, canAlways)
	if err != nil || !yes {
		return client.ElicitResult{Action: client.ElicitDecline}, err
	}
	return accepted(confirms, always), nil
}

func translated(text string) (all string) {
	for line := range strings.Lines(text) {
		line = sentence(strings.TrimSuffix(line, "\n"))
		if title, is := strings.CutSuffix(line, "?"); is && strings.HasPrefix(title, "Index ") { // too short for sentence
			line = say("Index %s?", title[len("Index "):])
		}
		all += line + "\n"
	}
	return strings.TrimSuffix(all, "\n")
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

func (v *invocation) confirm(ctx context.Context, canAlways bool) (yes, always bool, err error) {
	question := say("Go ahead? [y/N] ")
	if canAlways {
		question = say("Go ahead? [y/N, a = yes and always for this project] ")
	}
	answer, err := v.ask(ctx, question)
	switch strings.ToLower(answer) {
	case "y", "yes":
		return true, false, err
	case "j", "ja":
		return language != translations.English, false, err
	case "a", "always", "immer":
		return canAlways, canAlways, err
	}
	return false, false, err
}

func (v *invocation) sure(ctx context.Context) error {
	yes, _, err := v.confirm(ctx, false)
	if err == nil && !yes {
		err = errDeclined
	}
	return err
}

func (v *invocation) ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(v.Err, question)
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() {
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

// readLine reads a single line, and none of the bytes after the newline.
func readLine(r io.Reader) (string, error) {
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
