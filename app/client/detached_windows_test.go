package client

// detached can't be seen from outside on Windows; that the app outlives its starter is what the packages are tested for.
func detached(int) bool { return true }
