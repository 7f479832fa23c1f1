// Package login has a program start when its person signs in, in the way that each system has for it: an entry of the
// desktop, an agent of launchd, a value in the registry. All of it is the person's own; nothing needs an administrator.
//
// It must not know what the program does, nor who asks. No goroutines, no locks.
package login
