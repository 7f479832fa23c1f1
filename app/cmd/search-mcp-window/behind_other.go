//go:build !linux && !windows

package main

// unfocused does nothing, because GLFW supports FocusOnShow here.
func unfocused(any) {}

// urge does nothing on these systems, because a notification already reports the window to the user.
func urge(any) bool { return false }

func hang(any, int, int) {}

func roundCorners(any, int, int, int) {}
