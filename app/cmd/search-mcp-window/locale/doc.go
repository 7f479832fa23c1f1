// Package locale sets a language for Fyne if the environment's locale is C with an encoding, such as C.UTF-8, which
// Fyne can't parse and logs at each lookup. It does not import Fyne, starts no goroutine and has no locks.
//
// Fyne reads the language while its packages are initialized, before main. Go initializes packages sorted by import
// path once their imports are ready (language specification, Package initialization): this one imports only os and
// strings and precedes text/template, which Fyne's package needs. TestLocale of the window fails if that changes.
package locale
