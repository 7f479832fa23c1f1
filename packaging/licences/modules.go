package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// programs are the packages whose executables are shipped.
const programs = "./app/cmd/..."

// systems are those the programs are shipped for; one system's build leaves out modules of another's.
var systems = []string{"linux/amd64", "darwin/arm64", "windows/amd64"}

// listed is what `go list -deps -json` says of a package.
type listed struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Version string }
	}
}

// moduleComponents returns the modules linked into the programs on any system, and Go's own library.
func moduleComponents(ctx context.Context, root string) ([]component, error) {
	type module struct {
		component
		dir  string
		seen map[string]bool // folders already read
	}
	modules := map[string]*module{}
	for _, system := range systems {
		pkgs, err := listPackages(ctx, root, system)
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			if p.Standard || p.Module == nil || p.Module.Main || p.Module.Replace != nil && p.Module.Replace.Version == "" {
				continue // ours, a folder that stands for a module among them
			}
			m := modules[p.Module.Path]
			if m == nil {
				m = &module{component{Name: p.Module.Path, Version: p.Module.Version}, p.Module.Dir, map[string]bool{}}
				modules[p.Module.Path] = m
			}
			// A package may carry code of others with a licence of its own: read every folder from it up to the module's.
			for dir := p.Dir; ; dir = filepath.Dir(dir) {
				if m.seen[dir] || !strings.HasPrefix(dir, m.dir) {
					break
				}
				m.seen[dir] = true
				texts, err := licenceTexts(dir)
				if err != nil {
					return nil, err
				}
				m.Texts = append(m.Texts, texts...)
			}
		}
	}
	if len(modules) == 0 {
		return nil, errors.New("the programs contain no module")
	}
	list := []component{{Name: "Go standard library", Version: runtime.Version(), Licence: "BSD-3-Clause"}}
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go's folder: %w", err)
	}
	if list[0].Texts, err = licenceTexts(strings.TrimSpace(string(goroot))); err != nil {
		return nil, err
	}
	for _, m := range modules {
		slices.Sort(m.Texts)
		m.Texts = slices.Compact(m.Texts)
		list = append(list, m.component)
	}
	return list, missing(list)
}

// missing names the components that have neither a text nor a declared licence.
func missing(list []component) error {
	var none []string
	for _, c := range list {
		if len(c.Texts) == 0 && c.Licence == "" {
			none = append(none, c.id())
		}
	}
	if len(none) > 0 {
		slices.Sort(none)
		return fmt.Errorf("no licence found for %s", strings.Join(none, ", "))
	}
	return nil
}

// listPackages lists what the programs are made of on a system. cgo counts as on: it adds packages, it takes none away.
func listPackages(ctx context.Context, root, system string) ([]listed, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.CommandContext(ctx, "go", "list", "-pgo=off", "-deps", "-json=ImportPath,Dir,Standard,Module", programs)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages for %s: %w: %s", system, err, strings.TrimSpace(stderr.String()))
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("read package list for %s: %w", system, err)
		}
		pkgs = append(pkgs, p)
	}
}
