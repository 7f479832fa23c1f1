// Package ipc owns the transport between the programs of one user on one machine: the address of a data folder,
// listening, dialling, the check that the peer is the same user, and the lock that keeps the app single. It uses a
// socket on Unix and a named pipe on Windows; it opens no TCP port.
//
// It implements no protocol: app/endpoint, app/socket/client and the bridge define the messages. It starts no goroutine
// and uses no mutex; its only locks are file locks, which the operating system releases when the process ends.
//
// A connection has three independent protections: the socket's folder is 0700 and owned by the user, the socket is
// 0600, and both ends ask the kernel for the peer's user. None of them stops another process of the same user.
package ipc
