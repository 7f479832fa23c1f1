package baseline

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrNoRipgrep is returned if rg is not installed.
var ErrNoRipgrep = errors.New("rg is not installed")

// Ripgrep searches dir for any word of question, like an assistant without an index. It returns the size of ripgrep's
// output in bytes.
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
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // no match
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("run rg: %w", err)
	}
	return len(out), nil
}
