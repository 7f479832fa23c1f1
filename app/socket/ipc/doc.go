// Package ipc owns the transport between the programs of one user. It determines the address of a data folder, listens,
// dials, checks the peer's user, and locks the folder so that only one app uses it. It uses a Unix socket or a Windows
// named pipe, never a TCP port.
//
// It implements no protocol and has no goroutines or mutexes. Its file locks are released when the process exits.
//
// Three independent checks protect a connection: the socket's folder has mode 0700 and belongs to the user, the socket
// has mode 0600, and both ends ask the kernel for the peer's user. None of them excludes other processes of the same
// user.
package ipc
