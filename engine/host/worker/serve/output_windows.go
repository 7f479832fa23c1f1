package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// output takes standard output for frames and gives libraries that print standard error in its place.
func output() (*os.File, error) {
	out := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, fmt.Errorf("take standard output: %w", err)
	}
	os.Stdout = os.Stderr
	return out, nil
}
