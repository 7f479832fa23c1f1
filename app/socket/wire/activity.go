package wire

// What stands in the place of an error's code in an api.Activity whose question a person did not agree to.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
)
