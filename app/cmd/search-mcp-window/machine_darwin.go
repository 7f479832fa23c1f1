package main

import "os/exec"

func hideConsole(*exec.Cmd) {}

// reveal selects a file or folder in the Finder.
func reveal(path string, _ bool) error { return start("open", "-R", path) }

// openByDesktop opens a file, a folder or a URL with the user's default program.
func openByDesktop(path string) error { return start("open", path) }
