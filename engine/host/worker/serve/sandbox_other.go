//go:build !linux

package serve

func sandbox() {}
