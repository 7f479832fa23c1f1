package desktop

import "os/exec"

// KeepPrivate does nothing, because the ACL of the profile folder already protects new files.
func KeepPrivate() (mask int) { return 0 }

func RestoreMask(int) {}

func command(_ int, program string, args ...string) *exec.Cmd { return exec.Command(program, args...) }
