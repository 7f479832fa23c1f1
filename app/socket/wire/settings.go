package wire

// Settings that others than the engine heed, or that say how much of the machine indexing may take
// (search-mcp/settings/get and set).
const (
	// SettingThreads is how many threads read files or make vectors at most, a whole number; 0 lets the app measure what
	// is quickest.
	SettingThreads = "threads"
	// SettingPauseOnBattery has vectors wait for the mains, true or false. What changes is searchable by words all the
	// same; api.Project.Waiting says why vectors wait.
	SettingPauseOnBattery = "pauseOnBattery"
	// SettingPauseUnderLoad has vectors wait while other programs want the processor, true or false.
	SettingPauseUnderLoad = "pauseUnderLoad"
)
