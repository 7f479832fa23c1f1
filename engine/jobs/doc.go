// Package jobs owns long operations and what is told of them: the event hub, the jobs that create and reindex run as,
// and the lane that lets one heavy text phase run at a time.
//
// It must not know what a job does, nor any store. Goroutines: one per subscription of the hub, ended with the
// subscriber's context. Locks: Hub.mu, Subscription.mu and Job.mu are leaves; none is held while another is taken.
package jobs
