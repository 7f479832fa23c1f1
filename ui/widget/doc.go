// Package widget adds what Fyne lacks: a theme, buttons with a focus ring, lists with headings, a filter for options,
// source code, shortened text with tips, and layouts. It contains no texts and nothing specific to the product. Its
// widgets are used only on Fyne's goroutine.
package widget
