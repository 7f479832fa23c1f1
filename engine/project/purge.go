package project

import (
	"context"
	"errors"
	"fmt"
)

// Purge rids a project's index, or all of them for "", of text that was deleted or changed and is still on disk.
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
