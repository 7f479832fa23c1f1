// Package locale sets a language for Fyne if the environment's locale is C with an encoding, such as C.UTF-8. Fyne
// can't parse such a locale and logs an error at each lookup. The package starts no goroutine and has no locks.
//
// Fyne reads the language while its packages are initialized. Package locale must be initialized first. Go initializes
// packages in the order of their import paths if their imports are ready. Package locale imports only os and strings,
// so it precedes text/template, which Fyne imports.
package locale
