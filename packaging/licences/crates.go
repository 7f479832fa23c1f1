package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

type metadata struct {
	Packages []struct {
		ID           string `json:"id"`
		Name         string `json:"name"`
		Version      string `json:"version"`
		License      string `json:"license"`
		ManifestPath string `json:"manifest_path"`
		Source       string `json:"source"` // "" for the crate being built
	} `json:"packages"`
	Resolve struct {
		Root  string `json:"root"`
		Nodes []struct {
			ID   string `json:"id"`
			Deps []struct {
				Pkg      string `json:"pkg"`
				DepKinds []struct {
					Kind string `json:"kind"` // "" for a normal dependency, "dev" or "build"
				} `json:"dep_kinds"`
			} `json:"deps"`
		} `json:"nodes"`
	} `json:"resolve"`
}

// crateComponents returns the crates linked into the crate in dir for target, without build and test dependencies.
func crateComponents(ctx context.Context, dir, target string) ([]component, error) {
	cmd := exec.CommandContext(ctx, "cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target,
		"--manifest-path", filepath.Join(dir, "Cargo.toml"))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cargo metadata: %w", err)
	}
	var m metadata
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, fmt.Errorf("read cargo metadata: %w", err)
	}
	used := m.linked()
	var list []component
	for _, p := range m.Packages {
		if !used[p.ID] || p.Source == "" {
			continue
		}
		c := component{Name: p.Name, Version: p.Version, Licence: strings.ReplaceAll(p.License, "/", " OR ")}
		if c.Texts, err = licenceTexts(filepath.Dir(p.ManifestPath)); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, missing(list)
}

// linked returns the IDs of the crates reachable from the root through normal dependencies.
func (m metadata) linked() map[string]bool {
	deps := map[string][]string{}
	for _, n := range m.Resolve.Nodes {
		for _, d := range n.Deps {
			for _, k := range d.DepKinds {
				if k.Kind == "" {
					deps[n.ID] = append(deps[n.ID], d.Pkg)
					break
				}
			}
		}
	}
	used := map[string]bool{}
	for next := []string{m.Resolve.Root}; len(next) > 0; {
		id := next[len(next)-1]
		next = next[:len(next)-1]
		if !used[id] {
			used[id] = true
			next = append(next, deps[id]...)
		}
	}
	return used
}
