package client

import "testing"

// leads can't be determined from outside on Windows. Other tests check that the app outlives its starter.
func leads(int) bool { return true }

// descends can't be determined, because a process keeps the PID of an ended parent.
func descends(*testing.T, int) bool { return false }
