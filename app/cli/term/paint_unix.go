//go:build !windows

package term

import "io"

// paints reports whether a terminal supports escape sequences; all on Unix do.
func paints(io.Writer) bool { return true }
