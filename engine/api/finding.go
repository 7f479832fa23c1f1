package api

// Finding is a result of the command doctor.
type Finding struct {
	OK      bool   `json:"ok"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
	// Routine results are summarized in a report about several projects.
	Routine bool `json:"routine,omitempty"`
}
