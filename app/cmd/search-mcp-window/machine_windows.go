package main

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey  = `Software\Microsoft\Windows\CurrentVersion\Run`
	runName = "Search MCP"
)

// Autostart reports whether the app starts at login.
func (*machine) Autostart() (on, ok bool) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return false, errors.Is(err, registry.ErrNotExist)
	}
	defer k.Close()
	_, _, err = k.GetStringValue(runName)
	return err == nil, true
}

// SetAutostart writes the value for the login, or takes it away.
func (*machine) SetAutostart(on bool) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	defer k.Close()
	if on {
		err = k.SetStringValue(runName, `"`+sibling("search-mcp-app")+`"`)
	} else if err = k.DeleteValue(runName); errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}
