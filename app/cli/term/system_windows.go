package term

import (
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/windows"
)

// paints enables colours on the console and reports whether that succeeded.
func paints(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	console := windows.Handle(f.Fd())
	var mode uint32
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

func shell(command string) *exec.Cmd {
	fields := strings.Fields(command)
	return exec.Command(fields[0], fields[1:]...)
}
