package term

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// paints switches a console's escape sequences on and reports whether it has them (since Windows 10).
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
