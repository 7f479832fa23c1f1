package cli

import (
	"context"
	"os"

	"golang.org/x/sys/windows"
)

func ignoreBrokenPipe() {} // Windows has no SIGPIPE

const parentWait = 1000

func watchParent(ctx context.Context, gone func()) {
	parent, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(os.Getppid()))
	if err != nil {
		return // without this check, the bridge exits when stdin is closed
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
