package serve

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// unusable is a LanceDB that cannot run here.
type unusable struct{ err error }

func (u unusable) Open(context.Context, vector.Place) (int, error)                    { return 0, u.err }
func (u unusable) Create(context.Context, vector.Place) error                         { return u.err }
func (u unusable) Add(context.Context, vector.Place, []vector.Row) error              { return u.err }
func (u unusable) Delete(context.Context, vector.Place, string, []string) error       { return u.err }
func (u unusable) Keys(context.Context, vector.Place, func([]vector.Key) bool) error  { return u.err }
func (u unusable) Rows(context.Context, vector.Place, func([]vector.Row) error) error { return u.err }
func (u unusable) Count(context.Context, vector.Place) (int, error)                   { return 0, u.err }
func (u unusable) Version(context.Context, vector.Place) (int, error)                 { return 0, u.err }
func (u unusable) Index(context.Context, vector.Place) error                          { return u.err }
func (u unusable) Close(vector.Place) error                                           { return nil }
func (u unusable) Nearest(context.Context, vector.Place, vector.Query) ([]vector.Hit, error) {
	return nil, u.err
}
func (u unusable) Vectors(context.Context, vector.Place, []string) (map[string]api.Vector, error) {
	return nil, u.err
}
