package machine

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

const pmsetPatience = 5 * time.Second

// OnBattery reports whether the computer runs on battery power. It runs pmset, because the system's library requires
// cgo. pmset prints "Now drawing from 'Battery Power'" or "Now drawing from 'AC Power'".
func OnBattery() (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), pmsetPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/bin/pmset", "-g", "batt").Output()
	if err != nil {
		return false, fmt.Errorf("query power source: %w", err)
	}
	first, _, _ := bytes.Cut(out, []byte("\n"))
	return bytes.Contains(first, []byte("Battery Power")), nil
}
