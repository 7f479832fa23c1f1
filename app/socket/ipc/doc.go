// Package ipc owns the transport between the programs of one user: the address of a data folder, listening, dialling,
// the check of the peer's user, and the lock that allows only one app. It uses a Unix socket or a Windows named pipe,
// never a TCP port.
//
// It implements no protocol and has no goroutines or mutexes. Its file locks end with the process.
//
// Three independent checks protect a connection: the socket's folder is 0700 and owned by the user, the socket is 0600,
// and both ends ask the kernel for the peer's user. None of them excludes another process of the same user.
package ipc
