// Package term formats results, tables and long texts for a terminal and for programs. It must not import the app.
package term
