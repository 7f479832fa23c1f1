package api

// Config is a project's configuration with every value valid (RFC 7.1, 7.2). Reading, defaults, validation and the
// file's comments belong to engine/store/files.
type Config struct {
	Include                  []string
	Exclude                  []string
	RespectGitignore         bool
	MaxFileSize              int64 // bytes
	MaxFiles                 int
	DocPatterns              []string
	IndexDocs                bool
	EnhancedToolDescriptions bool
	IndexingStrategy         Strategy
	LazyIdleThreshold        int // seconds
	IntegrityInterval        int // hours between two passes over all contents (RFC 5.6)
	// ExtraRoots are further folders of the project (multi-root, RFC 12).
	ExtraRoots []Root
}

// DefaultConfig is RFC 7.1's.
func DefaultConfig() Config {
	return Config{
		Include: []string{"**/*"}, Exclude: []string{}, RespectGitignore: true,
		MaxFileSize: 1 << 20, MaxFiles: SoftFileLimit,
		DocPatterns: []string{"**/*.md", "**/*.txt"}, IndexDocs: true,
		IndexingStrategy: Realtime, LazyIdleThreshold: 30, IntegrityInterval: 24,
	}
}
