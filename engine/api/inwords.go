package api

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"
)

// InWords describes err in simple words, for the end of a sentence.
func InWords(err error) string {
	var host *net.DNSError
	var dial *net.OpError
	var path *fs.PathError
	switch {
	case errors.As(err, &host) && host.IsNotFound:
		return "unknown computer " + host.Name
	case errors.As(err, &dial) && errors.Is(err, syscall.ECONNREFUSED) && dial.Addr != nil:
		return "nothing answers at " + dial.Addr.String()
	case errors.Is(err, context.DeadlineExceeded), os.IsTimeout(err):
		return "it did not answer in time"
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return "there is no file or folder " + path.Path
	case errors.As(err, &path) && errors.Is(err, fs.ErrPermission):
		return "reading " + path.Path + " is not permitted"
	}
	return err.Error()
}
