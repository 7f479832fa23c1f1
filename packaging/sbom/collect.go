package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"searchmcp/packaging/command"
	"searchmcp/packaging/native"
)

// part is one component of the release.
type part struct {
	kind    string // CycloneDX's type: "library", "machine-learning-model"
	name    string
	version string
	purl    string   // package URL, its identity
	sha256  string   // lower-case hex, "" where none is known
	licence string   // SPDX expression, "" where the source declares none
	texts   []string // whole licence files
}

// lancedbModule carries LanceDB's Go binding, its Rust source and the lock file of its crates.
const lancedbModule = "github.com/lancedb/lancedb-go"

// collect lists what a release for a platform is made of.
func collect(ctx context.Context, root, platform string) ([]part, error) {
	licences := filepath.Join(root, "assets", "licences")
	modules, err := goModules(ctx, root, platform, filepath.Join(licences, "go-modules.txt"))
	if err != nil {
		return nil, err
	}
	crates, err := rustCrates(ctx, root, filepath.Join(licences, "lancedb-crates.txt"))
	if err != nil {
		return nil, err
	}
	libraries, err := nativeLibraries(root, licences, platform)
	if err != nil {
		return nil, err
	}
	model, err := embeddingModel(root)
	if err != nil {
		return nil, err
	}
	list := append(modules, crates...)
	list = append(list, libraries...)
	return append(list, model), nil
}

// goModules are the modules linked into the programs for a platform, with the licences that packaging/licences found.
func goModules(ctx context.Context, root, platform, file string) ([]part, error) {
	known, err := readLicences(file)
	if err != nil {
		return nil, err
	}
	pkgs, err := command.Linked(ctx, root, platform)
	if err != nil {
		return nil, err
	}
	linked := map[string]string{} // versions
	for _, p := range pkgs {
		linked[p.Module] = p.Version
	}
	var list []part
	for _, k := range known {
		if k.name == "Go standard library" {
			version := strings.TrimPrefix(k.version, "go")
			list = append(list, part{kind: "library", name: "std", version: version, purl: "pkg:golang/std@" + version,
				licence: k.licence, texts: k.texts})
			continue
		}
		if linked[k.name] != k.version {
			continue // another system's, or a version that is reported below
		}
		delete(linked, k.name)
		k.kind, k.purl = "library", "pkg:golang/"+k.name+"@"+k.version
		list = append(list, k)
	}
	if len(linked) > 0 {
		return nil, fmt.Errorf("%s does not have all modules of the programs, which are %v too: run make licences", file,
			slices.Sorted(maps.Keys(linked)))
	}
	return list, nil
}

// rustCrates are the crates linked into LanceDB, with the checksums of its Cargo.lock.
func rustCrates(ctx context.Context, root, file string) ([]part, error) {
	list, err := readLicences(file)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", lancedbModule)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", lancedbModule, err)
	}
	lock, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "rust", "Cargo.lock"))
	if err != nil {
		return nil, fmt.Errorf("read the crates' lock file: %w", err)
	}
	sums := cargoSums(string(lock))
	for i := range list {
		c := &list[i]
		sum, locked := sums[c.name+" "+c.version]
		if !locked {
			return nil, fmt.Errorf("crate %s %s is in %s and not in Cargo.lock: run make native", c.name, c.version, file)
		}
		c.kind, c.purl, c.sha256 = "library", "pkg:cargo/"+c.name+"@"+c.version, sum
	}
	return list, nil
}

var (
	cargoName     = regexp.MustCompile(`(?m)^name = "(.+)"$`)
	cargoVersion  = regexp.MustCompile(`(?m)^version = "(.+)"$`)
	cargoChecksum = regexp.MustCompile(`(?m)^checksum = "([0-9a-f]{64})"$`)
)

// cargoSums maps "name version" to the checksum in a Cargo.lock, "" for crates from elsewhere than a registry.
func cargoSums(lock string) map[string]string {
	sums := map[string]string{}
	for _, block := range strings.Split(lock, "[[package]]")[1:] {
		name, version := cargoName.FindStringSubmatch(block), cargoVersion.FindStringSubmatch(block)
		if name == nil || version == nil {
			continue
		}
		sum := ""
		if m := cargoChecksum.FindStringSubmatch(block); m != nil {
			sum = m[1]
		}
		sums[name[1]+" "+version[1]] = sum
	}
	return sums
}

// nativeLibraries are those of the lock file for a platform.
func nativeLibraries(root, licences, platform string) ([]part, error) {
	lock, err := native.ReadLock(filepath.Join(root, "packaging", "native"))
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{
		"onnxruntime": {"onnxruntime-LICENSE.txt", "onnxruntime-ThirdPartyNotices.txt"},
		"lancedb":     {"lancedb-LICENSE.txt"},
	}
	var list []part
	for _, l := range lock.Libraries {
		if l.Platform != platform {
			continue
		}
		p := part{kind: "library", name: l.Library, version: l.Version, purl: "pkg:generic/" + l.Library + "@" + l.Version,
			sha256: l.File.SHA256, licence: l.Licence}
		for _, name := range texts[l.Library] {
			data, err := os.ReadFile(filepath.Join(licences, name))
			if err != nil {
				return nil, fmt.Errorf("read licence of %s: %w", l.Library, err)
			}
			p.texts = append(p.texts, string(data))
		}
		if len(p.texts) == 0 {
			return nil, fmt.Errorf("no licence text is known for the library %s", l.Library)
		}
		list = append(list, p)
	}
	return list, nil
}

// embeddingModel is what assets/model's manifest says.
func embeddingModel(root string) (part, error) {
	dir := filepath.Join(root, "assets", "model")
	data, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		return part{}, fmt.Errorf("read the model's manifest: %w", err)
	}
	var m struct {
		Name    string
		License string
		Model   struct{ SHA256 string }
		Source  struct{ Version string }
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return part{}, fmt.Errorf("read the model's manifest: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if err != nil {
		return part{}, fmt.Errorf("read the model's licence: %w", err)
	}
	return part{kind: "machine-learning-model", name: m.Name, version: m.Source.Version,
		purl:   "pkg:generic/" + m.Name + "@" + m.Source.Version,
		sha256: m.Model.SHA256, licence: m.License, texts: []string{string(text)}}, nil
}
