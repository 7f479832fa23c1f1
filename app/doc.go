// Package app is the resident program: it joins the engine to the socket on which editors, window and terminal reach
// it, and owns the order in which things start and stop, the app's own log and its lock on the data folder.
//
// It must not know how anything is indexed, searched or shown: engine, app/endpoint and app/desktop/tray do. Its
// tests hold the rule of the whole module, who may import whom (arch_test.go).
//
// The goroutines of a run are children of one context and are waited for before Run returns. It holds no lock of its
// own.
package app
