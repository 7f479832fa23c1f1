package client

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

const suffix = ".exe"

// detached separates the app from the editor's console and process group.
const detached = windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS

// detachments lists the attributes to try in this order. The first removes the app from the editor's job object,
// because Windows may kill all processes of a job. Some jobs don't allow the removal.
var detachments = []*syscall.SysProcAttr{
	{HideWindow: true, CreationFlags: detached | windows.CREATE_BREAKAWAY_FROM_JOB},
	{HideWindow: true, CreationFlags: detached},
}

// keepToOurselves does nothing, because Windows processes inherit only listed handles.
func keepToOurselves() error { return nil }

func installed(home string) []string {
	places := []string{filepath.Join(home, `AppData\Local\Programs\Search MCP`)}
	if dir := os.Getenv("ProgramFiles"); dir != "" {
		places = append(places, filepath.Join(dir, "Search MCP"))
	}
	return places
}
