package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"searchmcp/packaging/command"
)

// systems are the platforms of releases, which link different modules.
var systems = []string{"linux/amd64", "darwin/arm64", "windows/amd64"}

// moduleComponents returns the modules linked into the programs on any system and Go's standard library.
func moduleComponents(ctx context.Context, root string) ([]component, error) {
	modules, seen := map[string]*component{}, map[string]bool{} // folders that have been read
	for _, system := range systems {
		pkgs, err := command.Linked(ctx, root, system)
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			m := modules[p.Module]
			if m == nil {
				m = &component{Name: p.Module, Version: p.Version}
				modules[p.Module] = m
			}
			// Read every folder up to the module's, because each may contain third-party code with its own licence.
			for dir := p.Dir; !seen[dir] && strings.HasPrefix(dir, p.ModuleDir); dir = filepath.Dir(dir) {
				seen[dir] = true
				texts, err := licenceTexts(dir)
				if err != nil {
					return nil, err
				}
				m.Texts = append(m.Texts, texts...)
			}
		}
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
		list = append(list, *m)
	}
	return list, missing(list)
}

// missing returns an error that names the components without a text or declared licence.
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
