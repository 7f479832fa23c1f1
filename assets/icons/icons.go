// Package icons holds the pictures of the programs: the application's icon and the tray's five states, as PNG. `make icon`
// draws them (packaging/icon). It knows nobody.
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
