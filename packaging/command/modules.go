package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Package is a package linked into the programs.
type Package struct{ Dir, Module, Version, ModuleDir string }

// Linked lists the packages of other modules that are linked into the programs for platform (goos/goarch). It omits
// modules replaced by a folder.
func Linked(ctx context.Context, root, platform string) (list []Package, err error) {
	const form = `{{with .Module}}{{if not (or .Main (and .Replace (not .Replace.Version)))}}` +
		"{{$.Dir}}\t{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	goos, goarch, _ := strings.Cut(platform, "/")
	cmd := exec.CommandContext(ctx, "go", "list", "-pgo=off", "-deps", "-f", form, "./app/cmd/...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages for %s: %w: %s", platform, err, strings.TrimSpace(stderr.String()))
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 {
			list = append(list, Package{f[0], f[1], f[2], f[3]})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the programs contain no module")
	}
	return list, nil
}
