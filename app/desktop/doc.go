// Package desktop is the person's session beside the resident app: whether there is one, the icon in it, the window's
// program and the file manager, and the modes of files that programs of the person write. The folders below know one
// more thing of the desktop each: connect the editors, login the start at login, tray the icon.
//
// It must not know the engine: what the icon shows is handed in. It starts a goroutine for each program that it starts,
// to wait for its end, and holds no lock.
package desktop
