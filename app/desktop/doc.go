// Package desktop is the user's desktop session: its detection, the icon, the window's program, the file manager, and
// the umask of programs started for the user. Its subpackages own one more part each: connect the editors, login the
// start at login, tray the icon.
//
// It must not import the engine: the icon's state is passed in. It starts a goroutine for each process that it starts,
// which waits for its end, and has no lock.
package desktop
