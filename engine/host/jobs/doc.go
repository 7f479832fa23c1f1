// Package jobs implements the event hub and the jobs that create or reindex a project.
//
// It must not depend on stores or on the work of jobs. Each job has a goroutine. Each subscription has a goroutine,
// which ends with the subscriber's context.
//
// Hub.mu is locked before subscription.mu. No lock is acquired while Job.mu is locked.
package jobs
