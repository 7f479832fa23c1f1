package machine

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

type pmset struct{}

// The system's library requires C.
func SystemBattery() Battery { return pmset{} }

const pmsetPatience = 5 * time.Second

// "Now drawing from 'Battery Power'" or "Now drawing from 'AC Power'".
func (pmset) OnBattery() (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), pmsetPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/bin/pmset", "-g", "batt").Output()
	if err != nil {
		return false, fmt.Errorf("query power source: %w", err)
	}
	first, _, _ := bytes.Cut(out, []byte("\n"))
	return bytes.Contains(first, []byte("Battery Power")), nil
}
