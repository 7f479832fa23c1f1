package project

import (
	"context"
	"errors"
	"fmt"
)

// Purge erases deleted text from the index of root. If root is "", it erases it from all indexes.
func (r *Registry) Purge(ctx context.Context, root string) error {
	list := r.List()
	if root != "" {
		p, err := r.get(root)
		if err != nil {
			return err
		}
		list = []*Project{p}
	}
	var errs []error
	for _, p := range list {
		if err := p.actor.Purge(ctx); err != nil {
			errs = append(errs, fmt.Errorf("purge %s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}
