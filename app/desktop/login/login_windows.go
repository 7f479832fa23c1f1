package login

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows/registry"
)

// Explorer starts the programs in runKey at login. In approvedKey, an odd first byte means that the Task Manager has
// disabled the program.
var (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

const valueName = "Search MCP"

func Enabled() (on, ok bool) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return false, errors.Is(err, registry.ErrNotExist)
	}
	defer k.Close()
	if _, _, err := k.GetStringValue(valueName); err != nil {
		return false, errors.Is(err, registry.ErrNotExist)
	}
	approved, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.QUERY_VALUE)
	if err != nil {
		return true, true
	}
	defer approved.Close()
	state, _, err := approved.GetBinaryValue(valueName)
	return err != nil || len(state) == 0 || state[0]%2 == 0, true
}

// SetEnabled enables or disables the start of program at login. It overrides the user's choice in the Task Manager.
func SetEnabled(on bool, program string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	defer k.Close()
	if on {
		err = k.SetStringValue(valueName, `"`+program+`" `+QuietFlag)
	} else {
		err = forget(k)
	}
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	approved, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	defer approved.Close()
	if err := forget(approved); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

func forget(k registry.Key) error {
	if err := k.DeleteValue(valueName); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}
