package client

// leads can't be seen from outside on Windows; that the app outlives its starter is what the packages are tested for.
func leads(int) bool { return true }
