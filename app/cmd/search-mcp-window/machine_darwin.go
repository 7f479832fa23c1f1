package main

import "os/exec"

func hideConsole(*exec.Cmd) {} // there is none

// reveal chooses a file or folder in the Finder.
func reveal(path string, _ bool) error { return start("open", "-R", path) }

// openByDesktop opens a file, a folder or an address with what the person has chosen for it.
func openByDesktop(path string) error { return start("open", path) }
