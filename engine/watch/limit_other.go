//go:build !linux

package watch

// remedy says in words why the system gives no more watches. A watch takes open files here, one for every file of a
// watched folder on macOS and the BSDs.
func remedy(error) string {
	return "the system's limit on open files is reached; to lift it, raise it with ulimit -n or launchctl limit maxfiles"
}
