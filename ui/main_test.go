package ui

import (
	"os"
	"testing"
	"time"
)

// TestMain sets the time zone, because pages show local times.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
