// Package ipc connects the programs of a user through a Unix socket or a Windows named pipe, never a TCP port. It
// determines the address for a data folder, listens, dials, checks the peer's user, and locks the folder for one app.
//
// It implements no protocol and has no goroutines or mutexes. Its file locks are released when the process exits.
//
// On Unix, only programs of the same user can connect: the socket's folder has mode 0700, the socket has mode 0600, and
// both ends ask the kernel for the peer's user.
package ipc
