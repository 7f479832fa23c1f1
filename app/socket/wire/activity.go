package wire

import "time"

// Outcomes that replace an error code in an api.Activity: the user declined a question, did not answer it, or the
// request was cancelled.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
	ActivityCancelled  = "CANCELLED"
)

// Asked reports that the user of the window searched, or opened a result of the last search.
type Asked struct {
	Project string        `json:"project,omitempty"` // root, if exactly one was searched
	Took    time.Duration `json:"took,omitempty"`
	Opened  bool          `json:"opened,omitempty"`
}
