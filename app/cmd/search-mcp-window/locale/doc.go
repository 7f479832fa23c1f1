// Package locale sets a language for Fyne if the environment's locale is C with an encoding, such as C.UTF-8, because
// Fyne can't parse it and logs an error at each lookup. It starts no goroutine and has no locks.
//
// Fyne reads the language while its packages are initialized. Go initializes packages in the order of their import
// paths once their imports are ready (language specification, Package initialization). Package locale imports only os
// and strings, so it precedes text/template, which Fyne imports. TestLocale fails if that changes.
package locale
