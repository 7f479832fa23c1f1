// Package term formats results, tables and long texts for terminals and for programs. It must not import the app.
package term
