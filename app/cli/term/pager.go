package term

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// Page writes text to out. If text does not fit on the screen, it runs the pager in PAGER, or less if PAGER is unset.
func (s Screen) Page(out io.Writer, text []byte) error {
	if pager := s.pager(); pager != "" && bytes.Count(text, []byte("\n")) > s.Height-1 &&
		through(pager, out, text) {
		return nil
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

func through(pager string, out io.Writer, text []byte) (shown bool) {
	cmd := shell(pager)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), out, os.Stderr
	cmd.Env = append([]string{"LESS=FRX", "LV=-c"}, os.Environ()...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		// The shell exits with 126 or 127 if it can't run the program.
		return exit.ExitCode() != 126 && exit.ExitCode() != 127
	}
	return true // the user may have closed the pager early
}
