package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/rymdport/portal/filechooser"
)

// ChooseFolder asks by the desktop's own dialog, through its portal.
func (*machine) ChooseFolder(ctx context.Context, title string) (dir string, ok bool, err error) {
	type answer struct {
		uris []string
		err  error
	}
	answered := make(chan answer, 1)
	go func() { // ends with the dialog, at the latest with the process: the portal can't be called off
		uris, err := filechooser.OpenFile("", title, &filechooser.OpenFileOptions{Directory: true})
		answered <- answer{uris, err}
	}()
	select {
	case <-ctx.Done():
		return "", true, ctx.Err()
	case a := <-answered:
		if a.err != nil {
			return "", false, nil // no portal: the caller has a dialog of its own
		}
		if len(a.uris) == 0 {
			return "", true, nil
		}
		u, err := url.Parse(a.uris[0])
		if err != nil || u.Scheme != "file" {
			return "", true, fmt.Errorf("choose folder: %q is no folder of this computer", a.uris[0])
		}
		return u.Path, true, nil
	}
}

// execQuote quotes an argument as the Desktop Entry Specification says (The Exec key).
func execQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(s) + `"`
}
