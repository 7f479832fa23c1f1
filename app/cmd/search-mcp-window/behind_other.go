//go:build !linux && !windows

package main

// refuseFocus does nothing, because GLFW supports FocusOnShow here.
func refuseFocus(any) {}

// urge does nothing, because the user already gets a notification.
func urge(any) bool { return false }

func hang(any, int, int) {}

func roundCorners(any, int, int, int) {}
