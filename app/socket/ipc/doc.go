// Package ipc owns the way between the programs of one person on one machine: the address that belongs to a data
// folder, listening on it, dialling it, the check that the other end is the same user, and the lock that keeps the app
// single. On Unix it is a socket, on Windows a named pipe; nothing here opens a TCP port.
//
// It knows no protocol: what travels over a connection belongs to app/endpoint, app/socket/client and the bridge. It
// starts no goroutine and holds no mutex; the only locks are file locks, which the operating system drops with the
// process.
//
// What protects a connection, each for itself: the folder of the socket is 0700 and ours, the socket is 0600, and both
// ends ask the kernel who the other one is. What it cannot stop is another process of the same user.
package ipc
