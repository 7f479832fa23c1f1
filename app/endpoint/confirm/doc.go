// Package confirm asks the user whether an index may be created, rebuilt or deleted
// (docs/specification.md#confirmation). Only Questions.Ask asks: in a window, which is opened if necessary, or else
// through the calling client. A window or terminal may send the user's consent with the call; an assistant can't.
//
// It starts no goroutine. Questions.mu is a leaf.
package confirm
