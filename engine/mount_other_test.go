//go:build !linux

package engine

import (
	"errors"
	"testing"
)

func mountReadOnly(*testing.T, string) (func(), error) { return nil, errors.ErrUnsupported }
