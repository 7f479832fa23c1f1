package share

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

var (
	// ErrNone: there is no shared index at the location.
	ErrNone = errors.New("no shared index there")
	// ErrDamaged: what the storage holds is not what the manifest says.
	ErrDamaged = errors.New("shared index is damaged")
	// ErrOvertaken: somebody else published at the same time.
	ErrOvertaken = errors.New("another publication came first")
)

// bucket is the storage below a location.
type bucket struct {
	at          Location
	client      *minio.Client
	credentials *credentials.Credentials
}

// requestTries is how often a request is made before the storage counts as out of reach; the next refresh tries again.
const requestTries = 3

func newBucket(at Location) (*bucket, error) {
	host, secure, lookup := "s3.amazonaws.com", true, minio.BucketLookupAuto
	if at.Endpoint != "" {
		u, err := url.Parse(at.Endpoint)
		if err != nil {
			return nil, fmt.Errorf("address of the storage: %w", err)
		}
		host, secure, lookup = u.Host, u.Scheme == "https", minio.BucketLookupPath
	}
	creds := providers()
	client, err := minio.New(host, &minio.Options{Creds: creds, Secure: secure, Region: at.Region, BucketLookup: lookup, MaxRetries: requestTries})
	if err != nil {
		return nil, fmt.Errorf("reach storage: %w", err)
	}
	return &bucket{at: at, client: client, credentials: creds}, nil
}

// get reads an object of at most limit bytes. With etag it returns nil if the object is still that one.
func (b *bucket) get(ctx context.Context, name, etag string, limit int64) (data []byte, now string, err error) {
	var o minio.GetObjectOptions
	if etag != "" {
		if err := o.SetMatchETagExcept(etag); err != nil {
			return nil, "", fmt.Errorf("read %s: %w", name, err)
		}
	}
	object, err := b.client.GetObject(ctx, b.at.Bucket, b.at.key(name), o)
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	}
	defer object.Close()
	data, err = io.ReadAll(io.LimitReader(object, limit+1))
	switch status := minio.ToErrorResponse(err).StatusCode; {
	case err != nil && status == http.StatusNotModified:
		return nil, etag, nil
	case err != nil && status == http.StatusNotFound:
		return nil, "", fmt.Errorf("read %s: %w: %w", name, ErrNone, err)
	case err != nil:
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	case int64(len(data)) > limit:
		return nil, "", fmt.Errorf("read %s: %w: more than %d bytes", name, ErrDamaged, limit)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	}
	return data, info.ETag, nil
}

// part reads an object that is named by its hash.
func (b *bucket) part(ctx context.Context, p Part) ([]byte, error) {
	data, _, err := b.get(ctx, p.name(), "", p.Size)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.SHA256 {
		return nil, fmt.Errorf("read %s: %w: its content has another hash", p.name(), ErrDamaged)
	}
	return data, nil
}

// putPart stores an object under its hash.
func (b *bucket) putPart(ctx context.Context, p Part, data []byte) error {
	_, err := b.client.PutObject(ctx, b.at.Bucket, b.at.key(p.name()), bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: "application/zstd"})
	if err != nil {
		return fmt.Errorf("write %s: %w", p.name(), err)
	}
	return nil
}

// putManifest replaces the manifest if it is still the one with etag, "" for none.
func (b *bucket) putManifest(ctx context.Context, data []byte, etag string) error {
	o := minio.PutObjectOptions{ContentType: "application/json"}
	if etag == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(etag)
	}
	_, err := b.client.PutObject(ctx, b.at.Bucket, b.at.key(manifestName), bytes.NewReader(data), int64(len(data)), o)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return fmt.Errorf("write manifest: %w: %w", ErrOvertaken, err)
	}
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	return nil
}

// removeBelow deletes the objects below a folder that are older than age and that keep does not want. Names are relative to
// the location.
func (b *bucket) removeBelow(ctx context.Context, folder string, age time.Duration, keep func(name string) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing if a removal fails
	base := b.at.key("")
	for o := range b.client.ListObjects(ctx, b.at.Bucket, minio.ListObjectsOptions{Prefix: b.at.key(folder), Recursive: true}) {
		if o.Err != nil {
			return fmt.Errorf("list %s: %w", folder, o.Err)
		}
		if time.Since(o.LastModified) < age || keep(o.Key[len(base):]) {
			continue
		}
		if err := b.client.RemoveObject(ctx, b.at.Bucket, o.Key, minio.RemoveObjectOptions{}); err != nil {
			return fmt.Errorf("remove %s: %w", o.Key, err)
		}
	}
	return nil
}
