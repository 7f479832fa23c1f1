package client

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

const suffix = ".exe"

// detached takes the app out of the editor's console and process group.
const detached = windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS

// detachments: out of the editor's job too, which would end the app with the editor; where the job forbids that, in it.
var detachments = []*syscall.SysProcAttr{
	{HideWindow: true, CreationFlags: detached | windows.CREATE_BREAKAWAY_FROM_JOB},
	{HideWindow: true, CreationFlags: detached},
}

// keepToOurselves has nothing to do: Windows passes on only the handles that are named.
func keepToOurselves() error { return nil }

// installed lists where the Windows installers put the app.
func installed(home string) []string {
	places := []string{filepath.Join(home, `AppData\Local\Programs\Search MCP`)}
	if dir := os.Getenv("ProgramFiles"); dir != "" {
		places = append(places, filepath.Join(dir, "Search MCP"))
	}
	return places
}
