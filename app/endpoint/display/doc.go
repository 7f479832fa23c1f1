// Package display puts figures, times and names into words for people and models, and makes what others wrote safe to
// show. It is the one place where a name from outside is sanitised (Name). Pure functions; it knows nothing of tools or
// sessions.
package display
