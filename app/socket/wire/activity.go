package wire

// What stands in the place of an error's code in an api.Activity where nothing is wrong: a person did not agree to a
// question or did not answer it, or what was asked for was given up.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
	ActivityCancelled  = "CANCELLED"
)
