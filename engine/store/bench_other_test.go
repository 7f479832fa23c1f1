//go:build !unix

package store

import (
	"testing"
	"time"
)

// processorTime is the time of day where no processor time is to be had.
func processorTime(*testing.B) time.Duration { return time.Duration(time.Now().UnixNano()) }
