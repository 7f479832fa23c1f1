package wire

import "time"

// What stands in the place of an error's code in an api.Activity where nothing is wrong: a person did not agree to a
// question or did not answer it, or what was asked for was given up.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
	ActivityCancelled  = "CANCELLED"
)

// Asked tells that the user of the window searched, or opened a result of the last search.
type Asked struct {
	Project string        `json:"project,omitempty"` // root, where one was searched
	Took    time.Duration `json:"took,omitempty"`
	Opened  bool          `json:"opened,omitempty"`
}
