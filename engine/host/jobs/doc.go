// Package jobs implements the event hub and the long jobs that create or reindex a project.
//
// It must not depend on stores or on the work of jobs. It starts one goroutine per subscription of the hub, which ends
// with the subscriber's context, and one per job. Hub.mu is locked before subscription.mu. Job.mu is a leaf.
package jobs
