//go:build !linux

package engine

import (
	"errors"
	"testing"
)

func mountSmall(*testing.T, string, string) error { return errors.ErrUnsupported }
