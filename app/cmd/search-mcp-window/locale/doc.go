// Package locale gives Fyne a language where the environment names the C locale with an encoding, such as C.UTF-8,
// which Fyne takes for a language, can't parse, and complains of at each look. It knows nothing of Fyne, starts nothing
// and has no locks.
//
// Fyne looks while its packages are initialised, before main. Go initialises the first package by import path whose own
// imports are ready (language specification, Package initialization): this one imports os and strings alone and comes
// before text/template, which Fyne's needs. TestLocale of the window fails if that changes.
package locale
