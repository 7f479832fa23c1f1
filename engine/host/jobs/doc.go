// Package jobs owns long operations and events: the event hub, and the jobs of create and reindex.
//
// It must not know the work of a job or the stores. Goroutines: one per subscription of the hub, which ends with the
// subscriber's context, and one per job. Locks: Hub.mu is locked before subscription.mu; Job.mu is a leaf.
package jobs
