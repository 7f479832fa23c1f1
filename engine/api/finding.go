package api

// Finding is one line of a self-examination: what was looked at, whether it is well, and what to do if not.
type Finding struct {
	OK      bool   `json:"ok"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"` // the technical side of Text, in English
	Remedy  string `json:"remedy,omitempty"`
	// Routine is said of every project that is well; a list of several sums it up.
	Routine bool `json:"routine,omitempty"`
}
