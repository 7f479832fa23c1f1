package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"searchmcp/app/cli"
)

// commandLine matches a command of search-mcp, make or go up to the next sign of the shell or comment.
var commandLine = regexp.MustCompile(`(?:^|[ (])(?:[\w./]*/)?(search-mcp|make|go) ((?:[^|;&#]| &[^&])*)`)

// TestCommands checks the command lines in the pages: commands and options of search-mcp, targets of make, and packages
// and tests of go.
func TestCommands(t *testing.T) {
	checked := map[string]int{}
	targets := makeTargets(t)
	for _, p := range pages(t) {
		if p.generated() {
			continue
		}
		lines, spans := p.code()
		for _, s := range spans {
			if first, _, _ := strings.Cut(s, " "); slices.Contains([]string{"search-mcp", "make", "go"}, first) {
				lines = append(lines, s)
			}
		}
		for _, line := range lines {
			if strings.ContainsAny(line, "─►") || strings.HasPrefix(line, "docker build") {
				continue // a drawing, or the name of an image
			}
			code, _, _ := strings.Cut(line, " #")
			for _, m := range commandLine.FindAllStringSubmatch(code, -1) {
				args, _, _ := strings.Cut(m[2], "  ") // a comment
				check := map[string]func([]string) error{"search-mcp": searchMCP, "go": goRuns,
					"make": func(args []string) error { return makes(args, targets) }}[m[1]]
				if err := check(strings.Fields(args)); err != nil {
					t.Errorf("%s: %s: %v", p.path, line, err)
				}
				checked[m[1]]++
			}
		}
	}
	for _, program := range []string{"search-mcp", "make", "go"} {
		if checked[program] < 8 {
			t.Errorf("%d command lines of %s: the expression may be outdated", checked[program], program)
		}
	}
}

// searchMCP checks that a command and its options exist.
func searchMCP(args []string) error {
	cmd, rest, err := cli.Command().Find(args)
	if err != nil {
		return err
	}
	if cmd.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return fmt.Errorf("%s has no command %q", cmd.CommandPath(), rest[0])
	}
	for _, option := range rest {
		name, _, _ := strings.Cut(option, "=")
		long, isLong := strings.CutPrefix(name, "--")
		var flag *pflag.Flag
		switch {
		case isLong && long != "":
			if flag = cmd.Flag(long); flag == nil {
				flag = cmd.Root().Flag(long)
			}
		case len(name) == 2 && name[0] == '-':
			flag = cmd.Flags().ShorthandLookup(name[1:])
		default:
			continue
		}
		if flag == nil && long != "help" && long != "version" {
			return fmt.Errorf("no option %s", name)
		}
	}
	return nil
}

func makeTargets(t *testing.T) map[string]bool {
	t.Helper()
	targets := map[string]bool{}
	for _, name := range []string{"Makefile", "packaging/package.mk"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		must(t, err)
		for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):(?:[^=]|$)`).FindAllStringSubmatch(string(text), -1) {
			targets[m[1]] = true
		}
	}
	return targets
}

// makes checks the first target of make, after variables and options.
func makes(args []string, targets map[string]bool) error {
	for _, a := range args {
		if strings.HasPrefix(a, "-") || strings.Contains(a, "=") {
			continue
		}
		if !targets[a] {
			return fmt.Errorf("no target %s", a)
		}
		break
	}
	return nil
}

// goRuns checks that the packages of a command of go exist, and that they contain its test.
func goRuns(args []string) error {
	if args[0] == "-C" { // another module
		return nil
	}
	var source strings.Builder // of all named packages
	for _, a := range args {
		if !strings.HasPrefix(a, "./") || strings.Contains(a, "…") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(a, "/...")), "*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("%s is no package (%v)", a, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			source.Write(text)
		}
	}
	for i, a := range args[:max(0, len(args)-1)] {
		pattern := strings.Trim(args[i+1], "^$'\"") // "^$" runs no tests, for benchmarks
		if args[0] == "test" && slices.Contains([]string{"-run", "-bench", "-fuzz"}, a) &&
			!regexp.MustCompile(`func \w*`+pattern).MatchString(source.String()) {
			return fmt.Errorf("the package has no test %s", pattern)
		}
	}
	return nil
}
