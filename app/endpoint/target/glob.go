package target

import (
	"errors"
	"strings"

	"searchmcp/app/endpoint/words"
	"searchmcp/engine/api"
	"searchmcp/engine/glob"
)

// CheckGlob refuses a pattern that matches nothing because it is empty or broken.
func CheckGlob(pattern string) error {
	if strings.TrimSpace(pattern) == "" {
		return api.ErrInvalidPattern(pattern, errors.New("the pattern is empty"))
	}
	if _, err := glob.Compile(pattern); err != nil {
		return api.ErrInvalidPattern(words.Shorten(pattern, words.MaxEcho), err)
	}
	return nil
}
