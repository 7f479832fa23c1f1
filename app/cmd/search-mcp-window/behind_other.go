//go:build !linux && !windows

package main

// unfocused does nothing: GLFW has been told.
func unfocused(any) {}

// urge does nothing here: the notification tells the person.
func urge(any) bool { return false }

// hang does nothing here: the window is in the middle.
func hang(any, int, int) {}
