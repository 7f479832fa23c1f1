package api

// Finding is one result of a self-check: its subject, whether it passed, and the remedy if it failed.
type Finding struct {
	OK      bool   `json:"ok"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"` // technical details, in English
	Remedy  string `json:"remedy,omitempty"`
	// Routine marks a finding that every healthy project has; a list of several projects summarizes it.
	Routine bool `json:"routine,omitempty"`
}
