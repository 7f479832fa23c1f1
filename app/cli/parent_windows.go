package cli

import (
	"context"
	"os"

	"golang.org/x/sys/windows"
)

func ignoreBrokenPipe() {} // Windows reports it to the writer only

// parentWait is how long one wait lasts, in milliseconds, between looks at ctx.
const parentWait = 1000

// watchParent calls gone when the process that started this one has ended.
func watchParent(ctx context.Context, gone func()) {
	parent, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(os.Getppid()))
	if err != nil {
		return // it ended before, or does not let itself be watched; the end of stdin remains
	}
	defer windows.CloseHandle(parent)
	for ctx.Err() == nil {
		event, err := windows.WaitForSingleObject(parent, parentWait)
		if err != nil {
			return
		}
		if event == windows.WAIT_OBJECT_0 {
			gone()
			return
		}
	}
}
