//go:build !windows

package term

import "io"

// paints reports whether a terminal supports escape sequences; as all terminals on Unix do.
func paints(io.Writer) bool { return true }
