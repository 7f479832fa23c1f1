package ui

import (
	"os"
	"testing"
	"time"
)

// TestMain puts the tests into one time zone: pages show local times, and pictures are compared.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
