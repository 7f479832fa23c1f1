//go:build !linux && !windows

package main

// unfocused does nothing, because GLFW supports FocusOnShow here.
func unfocused(any) {}

// urge does nothing, because a notification already informs the user.
func urge(any) bool { return false }

func hang(any, int, int) {}

func roundCorners(any, int, int, int) {}
