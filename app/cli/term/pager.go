package term

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// Page writes a text that does not fit on the screen through PAGER, or less, as git does. An empty PAGER or cat
// disables it. Other text, and text for programs, is written to out.
func (s Screen) Page(out io.Writer, text []byte) error {
	if pager := s.pager(); pager != "" && bytes.Count(text, []byte("\n")) > s.Height-1 { // one line is the shell's prompt
		if shown, err := through(pager, out, text); shown {
			return err
		}
	}
	_, err := out.Write(text)
	return err
}

func (s Screen) pager() string {
	pager, set := os.LookupEnv("PAGER")
	if !set {
		pager = "less"
	}
	if pager = strings.TrimSpace(pager); pager == "cat" || !s.Interactive || s.Dumb || s.Height == 0 {
		return ""
	}
	return pager
}

// through runs the pager. shown is false if it could not be started.
func through(pager string, out io.Writer, text []byte) (shown bool, err error) {
	cmd := shell(pager)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), out, os.Stderr
	cmd.Env = append([]string{"LESS=FRX", "LV=-c"}, os.Environ()...) // the last value of a variable is used
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("start pager: %w", err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		// With 126 and 127 the shell found no such program. Any other exit code is the pager's.
		return exit.ExitCode() != 126 && exit.ExitCode() != 127, nil
	}
	return true, nil // the user closed the pager before the end of the text
}
