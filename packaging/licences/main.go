// Command licences writes the licences of the Go modules in the programs. With -crates, it writes those of the Rust
// crates in LanceDB. It fails if a licence is missing.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "assets/licences/go-modules.txt", "file to write")
	crates := flag.String("crates", "", "folder of a Cargo.toml: write its crates' licences instead")
	target := flag.String("target", "x86_64-unknown-linux-gnu", "with -crates: the Rust target")
	flag.Parse()
	command.Main("licences", func(ctx context.Context) (err error) {
		title, list := "Licences of the Go modules in the programs", components{}
		if *crates != "" {
			title = "Licences of the Rust crates in the LanceDB library"
			err = list.addCrates(ctx, *crates, *target)
		} else {
			err = list.addModules(ctx, ".")
		}
		var text []byte
		if err == nil {
			text, err = list.render(title)
		}
		if err != nil {
			return err
		}
		return command.Write(*out, text)
	})
}

// components maps a name and version to the component's licences.
type components map[string]*licences

type licences struct {
	declared string // SPDX expression, or ""
	texts    []string
}

// add adds the licence files in dir to a component.
func (c components) add(id, declared, dir string) error {
	texts, err := licenceTexts(dir)
	if err != nil {
		return err
	}
	if c[id] == nil {
		c[id] = &licences{declared: declared}
	}
	c[id].texts = append(c[id].texts, texts...)
	return nil
}

// addModules adds Go's standard library and the modules linked into the programs on any platform.
func (c components) addModules(ctx context.Context, root string) error {
	const form = `{{with .Module}}{{if not (or .Main (and .Replace (not .Replace.Version)))}}` +
		"{{$.Dir}}\t{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	seen := map[string]bool{}
	for _, system := range []string{"linux/amd64", "darwin/arm64", "windows/amd64"} {
		list, err := output(ctx, root, system, "go", "list", "-pgo=off", "-deps", "-f", form, "./app/cmd/...")
		if err != nil {
			return err
		}
		for line := range strings.Lines(list) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 3 {
				continue
			}
			// A folder inside the module may contain third-party code with its own licence.
			for dir := f[0]; !seen[dir] && strings.HasPrefix(dir, f[2]); dir = filepath.Dir(dir) {
				seen[dir] = true
				if err := c.add(f[1], "", dir); err != nil {
					return err
				}
			}
		}
	}
	for _, l := range c {
		slices.Sort(l.texts)
	}
	goroot, err := output(ctx, root, "", "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	return c.add("Go standard library "+runtime.Version(), "BSD-3-Clause", strings.TrimSpace(goroot))
}

// addCrates adds the Rust crates that are linked into the crate in dir.
func (c components) addCrates(ctx context.Context, dir, target string) error {
	tree, err := output(ctx, dir, "", "cargo", "tree", "--locked", "--target", target, "--edges", "normal",
		"--prefix", "none", "--format", "{p}\t{l}")
	if err != nil {
		return err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	sources := filepath.Join(cmp.Or(os.Getenv("CARGO_HOME"), filepath.Join(home, ".cargo")), "registry", "src", "*")
	for line := range strings.Lines(tree) {
		name, version, declared := crateOf(line)
		if name == "" || c[name+" "+version] != nil {
			continue
		}
		dirs, err := filepath.Glob(filepath.Join(sources, name+"-"+version))
		if err != nil || len(dirs) == 0 {
			return fmt.Errorf("source of crate %s %s not found (%w)", name, version, err)
		}
		if err := c.add(name+" "+version, declared, dirs[0]); err != nil {
			return err
		}
	}
	return nil
}

// crateOf parses a line of cargo tree. name is "" for the root crate.
func crateOf(line string) (name, version, declared string) {
	crate, declared, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), " (*)"), "\t") // (*) marks a repetition
	name, version, _ = strings.Cut(crate, " v")
	version, from, _ := strings.Cut(version, " ")
	if strings.HasPrefix(from, "(/") {
		return "", "", ""
	}
	return name, version, strings.ReplaceAll(declared, "/", " OR ")
}

// output runs a command in dir and returns its output. system sets GOOS and GOARCH, such as linux/amd64.
func output(ctx context.Context, dir, system string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	if goos, goarch, ok := strings.Cut(system, "/"); ok {
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", args[0], args[1], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents|authors)([-._].*)?$`)

// codeFile matches names of code files: license.go is not a licence.
var codeFile = regexp.MustCompile(`(?i)\.(go|rs|py|js|sh|json|toml|ya?ml|tmpl|tpl|html)$`)

func licenceTexts(dir string) (texts []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list licence files: %w", err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) || codeFile.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read licence: %w", err)
		}
		if text := normal(string(data)); text != "" {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

var lineEnd = regexp.MustCompile(`[ \t\r\f]*\n`)

// normal converts line ends to LF and removes spaces at the ends of lines.
func normal(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
	return strings.Trim(lineEnd.ReplaceAllString(text+"\n", "\n"), "\n")
}

// render lists the components, and then each licence text under the names of its components. A component without a text
// or declared licence is an error.
func (c components) render(title string) ([]byte, error) {
	var list, texts bytes.Buffer
	var missing, order []string
	// Compare only words, because line breaks differ.
	users, first := map[string][]string{}, map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(c)) {
		l := c[id]
		if list.WriteString(id); l.declared != "" {
			list.WriteString(": " + l.declared)
		}
		list.WriteString("\n")
		if len(l.texts) == 0 && l.declared == "" {
			missing = append(missing, id)
		}
		for _, text := range l.texts {
			key := strings.Join(strings.Fields(text), " ")
			if users[key] == nil {
				order, first[key] = append(order, key), text
			}
			if !slices.Contains(users[key], id) {
				users[key] = append(users[key], id)
			}
		}
	}
	if len(missing) > 0 {
		return nil, errors.New("no licence found for " + strings.Join(missing, ", "))
	}
	for _, key := range order {
		fmt.Fprintf(&texts, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), strings.Join(users[key], ", "), first[key])
	}
	return fmt.Appendf(nil, "%s\n%s\n\n%s%s", title, strings.Repeat("=", len(title)), &list, &texts), nil
}
