//go:build !linux && !darwin && !windows

package machine

import "errors"

func ownTime() (float64, error) { return 0, errors.New("read own processor time: not known here") }

func readUsage() (usage, error) { return usage{}, errors.New("read processor times: not known here") }
