package api

// Finding is a result of the doctor command.
type Finding struct {
	OK      bool   `json:"ok"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
	// Routine findings are summarized in a report on several projects.
	Routine bool `json:"routine,omitempty"`
}
