//go:build !linux

package tray

func probe() error { return nil }
