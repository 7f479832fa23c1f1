package vector

import (
	"context"
	"fmt"
	"strings"
)

// Remote says where a database of tables lies on S3-compatible storage and who asks. Nothing of it is written anywhere.
type Remote struct {
	URI       string // s3://bucket/prefix
	Endpoint  string // address of the service, "" for Amazon's
	Region    string
	AccessKey string // "" for a bucket that anybody may read
	Secret    string
	Session   string
}

// RemoteTable is a table on S3-compatible storage, read through LanceDB's own object store. Its sketch lies on this computer.
type RemoteTable interface {
	// Search is Table.Search: from the sketch, or while there is none through the network.
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Fetch reads the table once, if it has no sketch, and makes one.
	Fetch(ctx context.Context) error
	// Close is Table.Close.
	Close() error
}

// IndexFrom is the number of rows from which a remote table gets an index of LanceDB's: without one a search that goes
// through the network reads every vector.
const IndexFrom = 5000

// plainHTTP reports whether the service is reached without TLS: a person has written http:// out.
func (r Remote) plainHTTP() bool { return strings.HasPrefix(r.Endpoint, "http://") }

func (r Remote) check() error {
	if !strings.HasPrefix(r.URI, "s3://") {
		return fmt.Errorf("%w: %q is no place on S3-compatible storage", ErrInvalid, r.URI)
	}
	return checkStrings(r.URI, r.Endpoint, r.Region, r.AccessKey, r.Secret, r.Session)
}
