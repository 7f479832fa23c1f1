//go:build !linux && !darwin && !windows

package machine

import "errors"

func readUsage() (usage, error) { return usage{}, errors.New("read processor times: not known here") }
