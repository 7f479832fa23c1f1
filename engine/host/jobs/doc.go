// Package jobs owns long operations and their events: the event hub, and the jobs that create and reindex run as.
//
// It must not know what a job does, nor any store. Goroutines: one per subscription of the hub, ended with the
// subscriber's context. Locks: Hub.mu, Subscription.mu and Job.mu are leaves; none is held while another is taken.
package jobs
