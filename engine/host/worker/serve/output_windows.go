package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// output reserves standard output for frames and redirects the output of libraries to standard error.
func output() (*os.File, error) {
	out := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, fmt.Errorf("redirect standard output: %w", err)
	}
	os.Stdout = os.Stderr
	return out, nil
}
