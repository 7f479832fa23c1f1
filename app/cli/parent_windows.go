package cli

import (
	"context"
	"os"

	"golang.org/x/sys/windows"
)

func ignoreBrokenPipe() {} // on Windows only the write fails

// parentWait is the duration of one wait, in milliseconds, between checks of ctx.
const parentWait = 1000

// watchParent calls gone when the parent process has ended.
func watchParent(ctx context.Context, gone func()) {
	parent, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(os.Getppid()))
	if err != nil {
		return // already ended or not observable, so rely on the end of stdin
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
