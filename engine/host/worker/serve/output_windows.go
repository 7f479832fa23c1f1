package serve

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

func output() (*os.File, error) {
	out := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, fmt.Errorf("redirect standard output: %w", err)
	}
	os.Stdout = os.Stderr
	return out, nil
}
