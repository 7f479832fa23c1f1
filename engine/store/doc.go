// Package store is the unit of work over one project's files, text index and vector table: the order of commits,
// generations, opening, closing and repair.
package store
