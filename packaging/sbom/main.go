// Command sbom writes the bill of materials of a release as CycloneDX JSON. cyclonedx-gomod lists the Go modules. The
// command adds the native libraries, the embedding model and the crates in LanceDB.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"searchmcp/packaging/command"
)

func main() {
	version := flag.String("version", "", "version of the release")
	platform := flag.String("platform", "linux/amd64", "goos/goarch of the release")
	out := flag.String("o", "", "file to write")
	flag.Parse()
	command.Main("sbom", func(ctx context.Context) error {
		if *version == "" || *out == "" {
			return errors.New("-version and -o are required")
		}
		date, err := command.Date()
		if err != nil {
			return err
		}
		programs, err := goPrograms(ctx, *platform)
		if err != nil {
			return err
		}
		others, crates, err := notGo(ctx, ".", *platform)
		if err != nil {
			return err
		}
		data, err := json.MarshalIndent(merge(*version, date, programs, others, crates), "", " ")
		if err != nil {
			return fmt.Errorf("encode bill of materials: %w", err)
		}
		return command.Write(*out, append(data, '\n'))
	})
}

type object = map[string]any

type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     object       `json:"metadata"`
	Components   []object     `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// goPrograms lists the modules of each program. The working directory must be the root of a clone, not of a linked
// worktree.
func goPrograms(ctx context.Context, platform string) (bills []bom, err error) {
	tool, err := exec.CommandContext(ctx, "go", "-C", "packaging/tools/pack", "tool", "-n", "cyclonedx-gomod").Output()
	if err != nil {
		return nil, fmt.Errorf("build cyclonedx-gomod: %w", err)
	}
	mains, err := filepath.Glob("app/cmd/*/main.go")
	if err != nil {
		return nil, err
	}
	goos, goarch, _ := strings.Cut(platform, "/")
	for _, main := range mains {
		cmd := exec.CommandContext(ctx, strings.TrimSpace(string(tool)), "app", "-json", "-licenses", "-std", "-noserial",
			"-main", "app/cmd/"+filepath.Base(filepath.Dir(main)), ".")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1", "GOFLAGS=-pgo=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		data, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list modules of %s: %w: %s", main, err, stderr.Bytes())
		}
		var b bom
		if err := json.Unmarshal(data, &b); err != nil {
			return nil, fmt.Errorf("read modules of %s: %w", main, err)
		}
		bills = append(bills, b)
	}
	return bills, nil
}

// part returns a component that is not a Go module.
func part(kind, name, version, purl, sha256, licence string) object {
	o := object{"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
		"licenses": []object{{"expression": licence}}}
	if sha256 != "" {
		o["hashes"] = []object{{"alg": "SHA-256", "content": sha256}}
	}
	return o
}

// notGo returns the components that are not Go modules. others are the native libraries and the model.
func notGo(ctx context.Context, root, platform string) (others, crates []object, err error) {
	libraries, err := os.ReadFile(filepath.Join(root, "packaging", "native", "libraries.txt"))
	if err != nil {
		return nil, nil, fmt.Errorf("read the native libraries: %w", err)
	}
	for line := range strings.Lines(string(libraries)) {
		if f := strings.Fields(line); len(f) == 8 && f[0] == platform {
			others = append(others, part("library", f[1], f[2], "pkg:generic/"+f[1]+"@"+f[2], strings.Trim(f[5], "-"), f[3]))
		}
	}
	data, err := os.ReadFile(filepath.Join(root, "assets", "model", "model.json"))
	if err != nil {
		return nil, nil, fmt.Errorf("read the model's manifest: %w", err)
	}
	var m struct {
		Name, License string
		Model         struct{ SHA256 string }
		Source        struct{ Version string }
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, nil, fmt.Errorf("read the model's manifest: %w", err)
	}
	others = append(others, part("machine-learning-model", m.Name, m.Source.Version,
		"pkg:generic/"+m.Name+"@"+m.Source.Version, m.Model.SHA256, m.License))

	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/lancedb/lancedb-go")
	cmd.Dir = root
	dir, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("find LanceDB's module: %w", err)
	}
	locked, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "rust", "Cargo.lock"))
	if err != nil {
		return nil, nil, fmt.Errorf("read the crates' lock file: %w", err)
	}
	index, err := os.ReadFile(filepath.Join(root, "assets", "licences", "lancedb-crates.txt"))
	if err != nil {
		return nil, nil, fmt.Errorf("read the crates' licences: %w", err)
	}
	crates, err = cratesOf(string(index), string(locked))
	return others, crates, err
}

var crate = regexp.MustCompile(`(?m)^name = "(.+)"\nversion = "(.+)"\n(?:source = .*\n)?(?:checksum = "([0-9a-f]{64})")?`)

// cratesOf returns the Rust crates in index, whose lines are "name version: licence". The checksums are from locked,
// the text of a Cargo.lock.
func cratesOf(index, locked string) (list []object, err error) {
	sums := map[string]string{}
	for _, m := range crate.FindAllStringSubmatch(locked, -1) {
		sums[m[1]+" "+m[2]] = m[3]
	}
	_, index, _ = strings.Cut(index, "=\n\n")
	index, _, _ = strings.Cut(index, "\n\n")
	for line := range strings.Lines(index) {
		id, licence, declared := strings.Cut(strings.TrimSpace(line), ": ")
		name, version, _ := strings.Cut(id, " ")
		sum, known := sums[id]
		if !declared || !known {
			return nil, fmt.Errorf("crate %q has no licence or is not in Cargo.lock: run make native", id)
		}
		list = append(list, part("library", name, version, "pkg:cargo/"+name+"@"+version, sum, licence))
	}
	if len(list) == 0 {
		return nil, errors.New("the crates' licences name no crate")
	}
	return list, nil
}

// merge returns the bill of materials of a release. It lists each module of the programs once.
func merge(version string, date time.Time, programs []bom, others, crates []object) bom {
	const self = "pkg:generic/search-mcp"
	components, needs := map[string]object{}, map[string][]string{self: {}}
	add := func(above string, list ...object) {
		for _, c := range list {
			ref := c["bom-ref"].(string)
			components[ref] = c
			needs[above] = append(needs[above], ref)
		}
	}
	tools := any(nil)
	for _, b := range programs {
		add(self, b.Metadata["component"].(object))
		tools = b.Metadata["tools"]
		for _, c := range b.Components {
			components[c["bom-ref"].(string)] = c
		}
		for _, d := range b.Dependencies {
			needs[d.Ref] = append(needs[d.Ref], d.DependsOn...)
		}
	}
	add(self, others...)
	for _, o := range others {
		if o["name"] == "lancedb" {
			add(o["bom-ref"].(string), crates...)
		}
	}
	out := bom{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: object{
		"timestamp": date.Format(time.RFC3339), "tools": tools,
		"component": object{"type": "application", "bom-ref": self, "name": "search-mcp", "version": version,
			"licenses": []object{{"expression": "Apache-2.0"}}}}}
	for _, ref := range slices.Sorted(maps.Keys(components)) {
		out.Components = append(out.Components, components[ref])
	}
	for _, ref := range slices.Sorted(maps.Keys(needs)) {
		out.Dependencies = append(out.Dependencies, dependency{ref, slices.Compact(slices.Sorted(slices.Values(needs[ref])))})
	}
	return out
}
