// Package display formats numbers, times and names for users and models, and makes external text safe to display. Its
// functions are pure.
package display
