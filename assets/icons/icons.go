// Package icons contains the programs' pictures: the application's icon and the tray's five states. The SVGs are the
// originals. The PNGs are in the sizes that desktops use (16 to 32 lists and panels, 48 to 128 menus and taskbars, 256
// and 512 overviews), and app.ico is for Windows. The tray's colours have a contrast of at least 3:1 on white and on
// #202020, the extremes of panels (WCAG 2.2, graphics). It imports nothing of this module.
package icons

import _ "embed"

// App is the application's icon.
//
//go:embed app.png
var App []byte

// The tray's states.
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
