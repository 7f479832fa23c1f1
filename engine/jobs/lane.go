package jobs

import "context"

// Lane lets one holder at a time through: full text phases of different projects queue here, because two at once on a
// laptop's disk and cores finish later than one after the other.
type Lane struct{ slot chan struct{} }

// NewLane returns a free lane.
func NewLane() *Lane { return &Lane{slot: make(chan struct{}, 1)} }

// Enter waits for the lane and returns its release, or ctx's error.
func (l *Lane) Enter(ctx context.Context) (leave func(), err error) {
	select {
	case l.slot <- struct{}{}:
		return func() { <-l.slot }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
