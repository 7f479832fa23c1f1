package command

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// Date returns the time in SOURCE_DATE_EPOCH (reproducible-builds.org) or else the current time, in UTC.
func Date() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		return time.Now().UTC(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
