package embed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// LibraryEnv is the environment variable with the absolute path of ONNX Runtime or its folder, for development.
const LibraryEnv = "SEARCH_MCP_LIB"

func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so"
}

// LibraryPath returns the path of ONNX Runtime, or ErrLibrary. For security, it ignores the library path of the system,
// the working directory and PATH.
func LibraryPath() (string, error) {
	name := libraryName()
	var looked []string
	for _, dir := range libraryDirs() {
		path := dir
		if filepath.Base(dir) != name {
			path = filepath.Join(dir, name)
		}
		if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() {
			return path, nil
		}
		looked = append(looked, path)
	}
	return "", fmt.Errorf("find %s (looked for %s): %w", name, strings.Join(looked, ", "), ErrLibrary)
}

func libraryDirs() []string {
	below := []string{"lib", "../lib/search-mcp"}
	switch runtime.GOOS {
	case "darwin":
		below = append(below, "../Frameworks")
	case "windows":
		below = append(below, ".")
	}
	return searchDirs(LibraryEnv, below, "packaging/native/"+runtime.GOOS+"-"+runtime.GOARCH+"/lib")
}

// searchDirs returns the folders that may contain a native library or the model.
func searchDirs(env string, below []string, source string) (dirs []string) {
	if dir := os.Getenv(env); dir != "" {
		dirs = append(dirs, dir)
	}
	if exe := executableDir(); exe != "" {
		for _, dir := range below {
			dirs = append(dirs, filepath.Join(exe, dir))
		}
	}
	for _, root := range sourceTrees() {
		dirs = append(dirs, filepath.Join(root, source))
	}
	return dirs
}

func executableDir() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return filepath.Dir(exe)
}

// Errors after which text search still works.
var (
	// ErrLibrary means that ONNX Runtime is missing or too old, or can't be loaded.
	ErrLibrary = errors.New("embedding library unavailable")
	// ErrCPU means that the processor lacks instructions that ONNX Runtime needs.
	ErrCPU = errors.New("processor too old for embeddings")
	// ErrModel means that the embedding model is missing or damaged, or that its output is invalid.
	ErrModel = errors.New("embedding model unavailable")
)
