//go:build !unix

package store

import (
	"testing"
	"time"
)

// processorTime returns the time of day, as processor time is not available.
func processorTime(*testing.B) time.Duration { return time.Duration(time.Now().UnixNano()) }
