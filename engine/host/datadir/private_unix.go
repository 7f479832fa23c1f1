//go:build unix

package datadir

import (
	"fmt"
	"os"
)

func OthersHaveAccess(dir string) (reach bool, remedy string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return false, "", err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return false, "", nil
	}
	return true, fmt.Sprintf("Remove other users' permissions (%s).", "chmod 700 "+dir), nil
}

func notContentIndexed(string) error { return nil }
