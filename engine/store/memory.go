package store

import (
	"errors"
	"fmt"
)

// Release gives back the memory of mapped files; what is needed again comes from the system's cache. A closed store has none.
func (s *Store) Release() error {
	if !s.gate.enter() {
		return nil
	}
	defer s.gate.leave()
	var errs []error
	for _, c := range s.corpora {
		if c.text == nil {
			continue
		}
		if err := c.text.Release(); err != nil {
			errs = append(errs, fmt.Errorf("release %s corpus: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}
