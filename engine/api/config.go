package api

type Config struct {
	Include                  []string
	Exclude                  []string
	RespectGitignore         bool
	MaxFileSize              int64 // in bytes
	MaxFiles                 int
	DocPatterns              []string
	IndexDocs                bool
	EnhancedToolDescriptions bool
	IndexingStrategy         Strategy
	LazyIdleThreshold        int // in seconds
	IntegrityInterval        int // hours between two comparisons of all files with the index (RFC 5.6)
	ExtraRoots               []Root
}

func DefaultConfig() Config {
	return Config{
		Include: []string{"**/*"}, Exclude: []string{}, RespectGitignore: true,
		MaxFileSize: 1 << 20, MaxFiles: SoftFileLimit,
		DocPatterns: []string{"**/*.md", "**/*.txt"}, IndexDocs: true,
		IndexingStrategy: Realtime, LazyIdleThreshold: 30, IntegrityInterval: 24,
	}
}
