package docs

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"searchmcp/app/cli"
)

// words splits a line like a shell: quotes group, "#" and two spaces begin a comment, and "|", "&&" and ";" are
// separate words.
func words(line string) []string {
	var out []string
	var word strings.Builder
	quote, inWord := rune(0), false
	flush := func() {
		if inWord {
			out = append(out, word.String())
		}
		word.Reset()
		inWord = false
	}
	line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case unicode.IsSpace(r):
			flush()
			if strings.HasPrefix(line[i+1:], " ") || strings.HasPrefix(line[i+1:], "#") {
				return out
			}
		case r == '|' || r == ';':
			flush()
			out = append(out, string(r))
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	flush()
	return out
}

// shellSigns separate the commands of a line.
var shellSigns = []string{"|", "&&", "||", ";"}

// run is one command of a line, without prefixes such as a host, a container or variables.
type run struct {
	program string   // the last element of its path
	args    []string // up to the next sign of the shell
	or      bool     // after «|», which in these pages separates alternatives for the same program
}

// programs are checked.
var programs = []string{"search-mcp", "make", "go"}

// readers are programs that read a pipe, so that "|" before them is a pipe.
var readers = []string{"fzf", "xargs"}

// runs returns the commands of a line of code.
func runs(line string) []run {
	var out []run
	or := false
	for rest := words(line); len(rest) > 0; {
		end := slices.IndexFunc(rest, func(w string) bool { return slices.Contains(shellSigns, w) })
		part, sign := rest, ""
		rest = nil
		if end >= 0 {
			part, sign, rest = part[:end], part[end], part[end+1:]
		}
		at := slices.IndexFunc(part, func(w string) bool { return slices.Contains(programs, path.Base(w)) })
		switch {
		case at > 0 && part[at-1] == "-t": // the name of an image
		case at >= 0:
			out = append(out, run{program: path.Base(part[at]), args: part[at+1:]})
		case or && len(part) > 0 && slices.Contains(readers, part[0]): // a pipe
		case or && len(out) > 0:
			out = append(out, run{program: out[len(out)-1].program, args: part, or: true})
		}
		or = sign == "|"
	}
	return out
}

// TestCommands: every command line of search-mcp in a page is valid: the command exists, its options exist with valid
// values, and the number of arguments fits. make targets and packages for go are checked too.
func TestCommands(t *testing.T) {
	checked := map[string]int{}
	targets := makeTargets(t)
	for _, p := range pages(t) {
		if p.generated() {
			continue
		}
		lines, spans := p.code()
		for _, s := range spans {
			if first, _, _ := strings.Cut(s, " "); slices.Contains(programs, path.Base(first)) {
				lines = append(lines, s)
			}
		}
		for _, line := range lines {
			if strings.ContainsAny(line, "─►") {
				continue // a drawing
			}
			var before []string // the parent commands of the last one, for alternatives after «|»
			for _, r := range runs(line) {
				var err error
				switch r.program {
				case "search-mcp":
					args := r.args
					if r.or {
						args = append(slices.Clone(before), args...)
					}
					before, err = searchMCP(args)
				case "make":
					err = makes(r.args, targets)
				case "go":
					err = goRuns(r.args)
				}
				if err != nil {
					t.Errorf("%s: %s: %v", p.path, line, err)
				}
				checked[r.program]++
			}
		}
	}
	for _, program := range programs {
		if checked[program] < 8 {
			t.Errorf("%d command lines of %s: the expressions may be outdated", checked[program], program)
		}
	}
}

// searchMCP checks arguments against the tree of commands and returns the parents of the command.
func searchMCP(args []string) (above []string, err error) {
	root := cli.Command()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return nil, err
	}
	cmd.VisitParents(func(c *cobra.Command) {
		if c != root {
			above = append(above, c.Name())
		}
	})
	slices.Reverse(above)
	if err := cmd.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return above, err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil && cmd.Flags().NArg() > 0 {
		// prose names a command without its arguments
		return above, err
	}
	if cmd.HasSubCommands() && cmd != root && len(cmd.Flags().Args()) > 0 {
		return above, fmt.Errorf("%s has no command %q", cmd.CommandPath(), cmd.Flags().Arg(0))
	}
	return above, cmd.ValidateFlagGroups()
}

func makeTargets(t *testing.T) map[string]bool {
	t.Helper()
	targets := map[string]bool{}
	for _, name := range []string{"Makefile", "packaging/package.mk"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):(?:[^=]|$)`).FindAllStringSubmatch(string(text), -1) {
			targets[m[1]] = true
		}
	}
	return targets
}

// makes checks the targets of make and ignores variables and options.
func makes(args []string, targets map[string]bool) error {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.Contains(a, "=") && !targets[a] {
			return fmt.Errorf("no target %s", a)
		}
	}
	return nil
}

// goFlags are options of go that these pages use; others must be the package's own.
var goFlags = []string{"run", "bench", "benchtime", "timeout", "count", "v", "race", "tags", "fuzz", "fuzztime",
	"fuzzminimizetime", "parallel", "C", "args"}

// goRuns checks the packages, tests and options of go run, go test and go doc.
func goRuns(args []string) error {
	if len(args) == 0 || !slices.Contains([]string{"run", "test", "doc"}, args[0]) {
		return nil
	}
	var source strings.Builder // of all named packages
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "./") || strings.Contains(a, "…") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(a, "/...")), "*.go"))
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("%s is no package", a)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			source.Write(text)
		}
	}
	for i, a := range args {
		name := strings.TrimLeft(a, "-")
		switch {
		case name == a:
		case !slices.Contains(goFlags, name) && !strings.Contains(source.String(), `"`+name+`"`):
			return fmt.Errorf("the package has no option -%s", name)
		case (name == "run" || name == "bench" || name == "fuzz") && args[0] == "test" && i+1 < len(args):
			pattern := strings.Trim(args[i+1], "^$") // "^$" runs no tests, for benchmarks
			if !regexp.MustCompile(`func \w*` + pattern).MatchString(source.String()) {
				return fmt.Errorf("the package has no test %s", pattern)
			}
		}
	}
	return nil
}
