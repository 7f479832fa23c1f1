package main

import (
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// hideConsole hides the console window of programs such as an editor's batch file.
func hideConsole(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }

// reveal selects path in Explorer, which accepts quotes only around the path itself. Paths can't contain quotes.
func reveal(path string, _ bool) error {
	cmd := exec.Command("explorer.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `explorer.exe /select,"` + path + `"`}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("show in Explorer: %w", err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("show in Explorer: %w", err)
	}
	return nil
}

func openByDesktop(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	if err := windows.ShellExecute(0, nil, name, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	return nil
}
