package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Fields of the first line of /proc/stat (proc_stat(5)): user, nice, system, idle, iowait, irq, softirq, steal.
// Guests' time is within user and nice, and is left out.
const (
	statIdle   = 3
	statIOWait = 4
	statFields = 8
)

// userHz is the unit of /proc/stat, the same on all of Linux's architectures.
const userHz = 100

func readUsage() (usage, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return usage{}, fmt.Errorf("read processor times: %w", err)
	}
	u, err := parseStat(string(text))
	if err != nil {
		return usage{}, err
	}
	own, err := OwnTime()
	u.own = own.Seconds()
	return u, err
}

func parseStat(text string) (usage, error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 1+statFields || fields[0] != "cpu" {
		return usage{}, fmt.Errorf("read processor times: /proc/stat begins with %q", line)
	}
	var u usage
	for i, f := range fields[1 : 1+statFields] {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return usage{}, fmt.Errorf("read processor times: %w", err)
		}
		u.all += n / userHz
		if i != statIdle && i != statIOWait { // waiting for a disk leaves the processor free
			u.busy += n / userHz
		}
	}
	return u, nil
}
