//go:build !darwin

package machine

// SystemLoad asks the operating system. It is not safe for concurrent use.
func SystemLoad() Load { return &load{read: readUsage} }
