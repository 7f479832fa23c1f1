package api

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

type Code string

// The error codes of RFC 6.2.
const (
	IndexNotFound       Code = "INDEX_NOT_FOUND"
	ModelDownloadFailed Code = "MODEL_DOWNLOAD_FAILED"
	IndexCorrupt        Code = "INDEX_CORRUPT"
	FileLimitWarning    Code = "FILE_LIMIT_WARNING"
	PermissionDenied    Code = "PERMISSION_DENIED"
	DiskFull            Code = "DISK_FULL"
	FileNotFound        Code = "FILE_NOT_FOUND"
	InvalidPattern      Code = "INVALID_PATTERN"
	ProjectNotDetected  Code = "PROJECT_NOT_DETECTED"
	DocsIndexNotFound   Code = "DOCS_INDEX_NOT_FOUND"
	SymlinkNotAllowed   Code = "SYMLINK_NOT_ALLOWED"

	// Error codes that the RFC does not define.

	InvalidArgument      Code = "INVALID_ARGUMENT"
	FileNotIndexable     Code = "FILE_NOT_INDEXABLE"
	ConfirmationRequired Code = "CONFIRMATION_REQUIRED"
	ProjectOffline       Code = "PROJECT_OFFLINE"
	FolderUnreadable     Code = "FOLDER_UNREADABLE"
	AlreadyIndexed       Code = "ALREADY_INDEXED"
	Busy                 Code = "BUSY"
	ConfigInvalid        Code = "CONFIG_INVALID"
	ShuttingDown         Code = "SHUTTING_DOWN"
	NotRunning           Code = "NOT_RUNNING"
	NotResponding        Code = "NOT_RESPONDING"
	ConnectionLost       Code = "CONNECTION_LOST"
	Internal             Code = "INTERNAL_ERROR"
)

// Error contains a message for users and one for developers (RFC 6.1). Clients don't receive Cause.
type Error struct {
	Code             Code   `json:"code"`
	UserMessage      string `json:"userMessage"`
	DeveloperMessage string `json:"developerMessage"`
	Cause            error  `json:"-"`
}

func (e *Error) Error() string { return e.DeveloperMessage }

func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Known returns the *Error that err wraps. If err wraps none, Known returns an Internal error with userMessage.
func Known(err error, userMessage string) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return New(Internal, userMessage, err.Error(), err)
}

// New returns an error. Its message for developers begins with code.
func New(code Code, user, developer string, cause error) *Error {
	return &Error{Code: code, UserMessage: user, DeveloperMessage: string(code) + ": " + developer, Cause: cause}
}

// Errors of RFC 6.2, with the texts of the RFC.

// ErrIndexNotFound returns the error for a missing index in the folder named hash.
func ErrIndexNotFound(hash string) *Error {
	return New(IndexNotFound, "This project hasn't been indexed yet. Would you like to index it now?",
		fmt.Sprintf("No index at ~/.mcp/search/indexes/%s/", hash), nil)
}

func ErrModelDownload(cause error) *Error {
	return New(ModelDownloadFailed, "Couldn't set up the search engine. Please check your internet connection "+
		"and try again.",
		cause.Error(), cause)
}

func ErrModelMissing(cause error) *Error {
	return New(ModelDownloadFailed, "The model for search by meaning is missing or damaged; search by words "+
		"works.", cause.Error(), cause)
}

func ErrIndexCorrupt(cause error) *Error {
	return New(IndexCorrupt, "The search index seems corrupted. Rebuilding it now...",
		"LanceDB read error - "+cause.Error(), cause)
}

// SoftFileLimit is the number of files above which a project gets a warning (RFC 5.2).
const SoftFileLimit = 50000

func ErrFileLimit(count, limit int) *Error {
	return New(FileLimitWarning,
		fmt.Sprintf("This project is very large (%d files). Indexing may take several minutes. Continue?", count),
		fmt.Sprintf("%d files exceeds soft limit of %s", count, Thousands(limit)), nil)
}

func ErrPermission(path string, cause error) *Error {
	return New(PermissionDenied, "Can't access some files in this project. Check folder permissions.",
		"EACCES reading "+path, cause)
}

// ErrDiskFull returns the error for a full disk. The sizes are in megabytes.
func ErrDiskFull(neededMB, availableMB int64, cause error) *Error {
	return New(DiskFull, "Not enough disk space to create the search index. Free up some space and try again.",
		fmt.Sprintf("ENOSPC - need ~%dMB, have %dMB", neededMB, availableMB), cause)
}

func ErrFileNotFound(path string) *Error {
	return New(FileNotFound, fmt.Sprintf("The file '%s' doesn't exist or isn't indexed.", path),
		path+" not in index", nil)
}

func ErrInvalidPattern(pattern string, cause error) *Error {
	return New(InvalidPattern, fmt.Sprintf("The search pattern '%s' is invalid. Please check the syntax.", pattern),
		cause.Error(), cause)
}

func ErrProjectNotDetected() *Error {
	return New(ProjectNotDetected, "Could not detect project root. Please choose a directory.",
		"No markers found in path hierarchy", nil)
}

func ErrDocsIndexNotFound(hash string) *Error {
	return New(DocsIndexNotFound, "No documentation has been indexed yet. Run create_index to index your project.",
		fmt.Sprintf("No docs index at ~/.mcp/search/indexes/%s/docs.lancedb/", hash), nil)
}

func ErrSymlink(path string) *Error {
	return New(SymlinkNotAllowed, "Symbolic links are not allowed for security reasons.",
		"Symlink detected at path: "+path, nil)
}

// ErrArgument returns the error for an invalid tool argument. expected completes the sentence "name must be …".
func ErrArgument(name, expected string) *Error {
	return New(InvalidArgument, fmt.Sprintf("The argument '%s' must be %s.", name, expected),
		fmt.Sprintf("%s: expected %s", name, expected), nil)
}

// OfUsage reports whether an argument of the call is malformed. A path of a missing file is not malformed.
func (e *Error) OfUsage() bool {
	return e.Code == InvalidPattern || e.Code == InvalidArgument && strings.Contains(e.DeveloperMessage, ": expected ")
}

// TooManyFiles reports whether err means that too many files are open.
func TooManyFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

func ErrOpenFiles(cause error) *Error {
	if !TooManyFiles(cause) {
		return nil
	}
	return New(Internal, "Too many files are open. Raise the limit on open files (ulimit -n) and start Search MCP again.",
		cause.Error(), cause)
}

func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func Unwritable(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, fs.ErrPermission)
}

func ErrUnwritable(dir string, cause error) *Error {
	return New(PermissionDenied, fmt.Sprintf("Can't write to '%s'. Check the folder's permissions, and whether its disk "+
		"is read-only. Existing indexes can be searched; changes are indexed once writing works again.", dir),
		cause.Error(), cause)
}
