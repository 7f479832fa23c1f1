//go:build !(cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64)))

package vector

import "context"

// Open fails: see ErrNoNative.
func Open(context.Context, string, string) (Table, error) { return nil, ErrNoNative }

// CreateRemote fails: see ErrNoNative.
func CreateRemote(context.Context, Remote, string, func(Table) error) error { return ErrNoNative }

// ChangeRemote fails: see ErrNoNative.
func ChangeRemote(context.Context, Remote, string, func(Table) error) error { return ErrNoNative }

// RemoteKeys fails: see ErrNoNative.
func RemoteKeys(context.Context, Remote, string, func(Key) bool) error { return ErrNoNative }

// OpenRemote fails: see ErrNoNative.
func OpenRemote(context.Context, Remote, string, int, string) (RemoteTable, error) {
	return nil, ErrNoNative
}
