package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
)

func TestCancelledIsNoError(t *testing.T) {
	for err, logged := range map[error]bool{
		fmt.Errorf("search text: %w", context.Canceled): false, errors.New("torn"): true,
	} {
		var log bytes.Buffer
		r := &Registry{log: slog.New(slog.NewTextHandler(&log, nil))}
		if r.notSearched("/home/ada/x", err); log.Len() > 0 != logged {
			t.Errorf("%v is logged as %q", err, log.String())
		}
	}
}
