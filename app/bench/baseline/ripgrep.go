package baseline

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrNoRipgrep says that rg is not installed.
var ErrNoRipgrep = errors.New("rg is not installed")

// Ripgrep scans a folder for any of a question's words, as an assistant without an index would, and returns the size of
// what it printed.
func Ripgrep(ctx context.Context, dir, question string) (int, error) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		return 0, ErrNoRipgrep
	}
	args := []string{"--ignore-case", "--line-number", "--no-heading"}
	for _, w := range strings.Fields(question) {
		args = append(args, "--regexp", w)
	}
	cmd := exec.CommandContext(ctx, rg, append(args, ".")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // nothing found
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("run rg: %w", err)
	}
	return len(out), nil
}
