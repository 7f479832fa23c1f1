package api

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
	IntegrityInterval        int // hours between comparisons of all files' contents (RFC 5.6)
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
