package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"testing"
)

func TestInWords(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	for want, err := range map[string]error{
		"unknown computer no.such": &net.OpError{Op: "dial", Err: &net.DNSError{Name: "no.such", IsNotFound: true,
			Err: "no such host"}},
		"nothing answers at 127.0.0.1:9":        &net.OpError{Op: "dial", Addr: at, Err: syscall.ECONNREFUSED},
		"it did not answer in time":             context.DeadlineExceeded,
		"there is no file or folder /a/b":       &fs.PathError{Op: "stat", Path: "/a/b", Err: syscall.ENOENT},
		"reading /a/b is not permitted":         &fs.PathError{Op: "open", Path: "/a/b", Err: syscall.EACCES},
		"site.name: is missing, as ever it was": errors.New("site.name: is missing, as ever it was"),
	} {
		wrapped := err
		if _, wraps := err.(interface{ Unwrap() error }); wraps {
			wrapped = fmt.Errorf("read index: %w", err)
		}
		if got := InWords(wrapped); got != want {
			t.Errorf("%v: %q, want %q", wrapped, got, want)
		}
	}
}
