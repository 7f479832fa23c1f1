//go:build !linux && !windows

package main

// unfocused does nothing: GLFW has the hint.
func unfocused(any) {}

// urge does nothing: the notification informs the user.
func urge(any) bool { return false }

func hang(any, int, int) {}

func roundCorners(any, int, int, int) {}
