// Package display formats figures, times and names for users and models, and makes external text safe to display.
// External names are sanitized only here (Name). Its functions are pure; it imports neither tools nor sessions.
package display
