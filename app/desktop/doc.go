// Package desktop is the user's desktop session: its detection, the icon, the window's program, the file manager, and
// the umask of programs started for the user. Its subpackages own the editors (connect), the start at login (login),
// and the icon (tray).
//
// It must not import the engine. Callers pass the icon's state. It starts a goroutine for each started process, which
// waits for its end, and has no lock.
package desktop
