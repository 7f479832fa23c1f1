package project

import (
	"context"
	"errors"
	"fmt"
)

// Purge erases deleted text from the index of root, or from all indexes if root is "".
func (r *Registry) Purge(ctx context.Context, root string) error {
	if root != "" {
		p, err := r.get(root)
		if err != nil {
			return err
		}
		return p.actor.Purge(ctx)
	}
	var errs []error
	for _, p := range r.List() {
		if err := p.actor.Purge(ctx); err != nil {
			errs = append(errs, fmt.Errorf("purge %s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}
