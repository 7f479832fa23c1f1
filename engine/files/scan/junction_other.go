//go:build !windows

package scan

// throughJunctions returns path, because only Windows has junctions.
func throughJunctions(path string) (string, error) { return path, nil }
