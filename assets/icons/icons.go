// Package icons contains the application's icon and the icons of the tray's five states. The SVGs are the originals of
// the PNGs, which have the sizes that desktops use (16 to 32 in lists and panels, 48 to 128 in menus and taskbars, 256
// and 512 in overviews), and of app.ico for Windows. The tray's colours have a contrast of at least 3:1 on white and on
// #202020 (WCAG 2.2, graphics). It imports no other package of this module.
package icons

import _ "embed"

// App is the application's icon.
//
//go:embed app.png
var App []byte

// The icons of the tray's states.
var (
	//go:embed tray-ready.png
	Ready []byte
	//go:embed tray-indexing.png
	Indexing []byte
	//go:embed tray-paused.png
	Paused []byte
	//go:embed tray-needs.png
	Needs []byte
	//go:embed tray-problem.png
	Problem []byte
)
