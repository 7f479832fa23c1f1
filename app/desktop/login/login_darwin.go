package login

import (
	"fmt"
	"os"
)

// Starts reports whether the app starts at login; ok is false where that can't be told.
func Starts() (on, ok bool) {
	home, err := os.UserHomeDir()
	return err == nil && hasAgent(home), err == nil
}

// Set writes the agent that starts a program at login, or takes it away.
func Set(on bool, program string) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return setAgent(home, on, program)
}
