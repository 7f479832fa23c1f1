package login

import (
	"fmt"
	"os"
)

// Enabled reports whether the app starts at login. ok is false if that is unknown.
func Enabled() (on, ok bool) {
	home, err := os.UserHomeDir()
	return err == nil && hasAgent(home), err == nil
}

func SetEnabled(on bool, program string) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return setAgent(home, on, program)
}
