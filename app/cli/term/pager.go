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

// Page writes a text that does not fit on the user's screen through a pager, as git does: PAGER, or less with LESS=FRX
// unless LESS is set. An empty PAGER or cat disables it. Shorter text, and text for programs, is written to out, as is
// all text if the pager can't be started.
func (s Screen) Page(out io.Writer, text []byte) error {
	if pager := s.pager(); pager != "" && s.rows(text) > s.Height-1 { // one line is the shell's prompt
		shown, err := through(pager, out, text)
		if shown {
			return err
		}
	}
	_, err := out.Write(text)
	return err
}

func (s Screen) pager() string {
	if !s.Interactive || s.Dumb || s.Height == 0 {
		return ""
	}
	pager, set := os.LookupEnv("PAGER")
	if !set {
		pager = "less"
	}
	if pager = strings.TrimSpace(pager); pager == "cat" {
		return ""
	}
	return pager
}

// rows returns the number of lines of a text. Lines are cut to the width, except long sentences, which may add a line
// or two.
func (s Screen) rows(text []byte) int { return bytes.Count(text, []byte("\n")) }

// through runs the pager. shown is false if it could not be started.
func through(pager string, out io.Writer, text []byte) (shown bool, err error) {
	cmd := shell(pager)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), out, os.Stderr
	cmd.Env = os.Environ()
	for _, preset := range [][2]string{{"LESS", "FRX"}, {"LV", "-c"}} {
		if _, set := os.LookupEnv(preset[0]); !set {
			cmd.Env = append(cmd.Env, preset[0]+"="+preset[1])
		}
	}
	// The pager handles Ctrl-C while it runs.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("start pager: %w", err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		// With 126 and 127 the shell found no such program. Any other exit code is the pager's.
		return exit.ExitCode() != 126 && exit.ExitCode() != 127, nil
	}
	return true, nil // the user closed the pager before the end of the text
}
