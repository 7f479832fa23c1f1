// Package icons contains the icons of the application and of the tray. The PNGs and app.ico are generated from the
// SVGs. The tray's colours have a contrast of at least 3:1 on white and on #202020 (WCAG 2.2, graphics). The package
// imports no other package of this module.
package icons

import _ "embed"

//go:embed app.png
var App []byte

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
