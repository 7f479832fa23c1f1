// Package desktop is the user's desktop session: its detection, the icon, the window's program, the file manager, and
// the umask of programs started for the user. Its subpackages own the editors (connect), the start at login (login) and
// the icon (tray).
//
// It must not import the engine. It has a goroutine for each started process and no lock.
package desktop
