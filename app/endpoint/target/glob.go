package target

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"searchmcp/app/endpoint/words"
	"searchmcp/engine/api"
)

// maxPattern is well above any glob that a person writes; matching costs time with each star.
const maxPattern = 1024

// CheckGlob refuses a pattern that matches nothing because it is empty or broken.
func CheckGlob(pattern string) error {
	switch {
	case strings.TrimSpace(pattern) == "":
		return api.ErrInvalidPattern(pattern, errors.New("the pattern is empty"))
	case len(pattern) > maxPattern:
		return api.ErrInvalidPattern(words.Shorten(pattern, words.MaxEcho),
			fmt.Errorf("the pattern is longer than %d bytes", maxPattern))
	case !doublestar.ValidatePattern(pattern):
		return api.ErrInvalidPattern(words.Shorten(pattern, words.MaxEcho), doublestar.ErrBadPattern)
	}
	return nil
}
