package api

// Finding is a result of the doctor command.
type Finding struct {
	OK      bool   `json:"ok"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
	// Routine marks a finding that every healthy project has. A report on several projects summarizes such findings.
	Routine bool `json:"routine,omitempty"`
}
