//go:build !windows

package term

import "io"

// paints reports whether a terminal obeys escape sequences; all of these systems' do.
func paints(io.Writer) bool { return true }
