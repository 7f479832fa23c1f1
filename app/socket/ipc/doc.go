// Package ipc owns the transport between the programs of one user: the address of a data folder, listening, dialling,
// the check that the peer is the same user, and the lock that keeps the app single. It uses a socket on Unix and a
// named pipe on Windows, and no TCP port.
//
// It implements no protocol, starts no goroutine and uses no mutex. Its locks are file locks, which the operating
// system releases when the process ends.
//
// A connection has three independent protections: the socket's folder is 0700 and owned by the user, the socket is
// 0600, and both ends ask the kernel for the peer's user. None of them stops another process of the same user.
package ipc
