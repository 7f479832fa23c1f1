//go:build !linux

package engine

import (
	"errors"
	"testing"
)

func mountSmall(*testing.T, string, string) error { return errors.ErrUnsupported }

func mountReadOnly(*testing.T, string) (func(), error) { return nil, errors.ErrUnsupported }
