package store

import (
	"errors"
	"fmt"
)

// Release returns the memory of mapped files to the system; pages needed again come from its page cache.
func (s *Store) Release() error {
	if !s.handles.rlock() {
		return nil
	}
	defer s.handles.RUnlock()
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
