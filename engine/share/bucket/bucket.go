package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

var (
	ErrNone     = errors.New("no such object")
	ErrTooLarge = errors.New("object is too large")
	// ErrChanged is returned if the condition of a write is not met.
	ErrChanged = errors.New("object was changed by another writer")
)

const (
	maxAttempts = 3
	// operationTimeout limits one operation. At 2 Mbit/s, 64 MB take four minutes.
	operationTimeout = 5 * time.Minute
	amazon           = "https://s3.amazonaws.com"
)

type Address struct {
	Name     string
	Endpoint string // as returned by ParseEndpoint; "" for Amazon S3
	Region   string // "" means that the service is asked for the region
}

// ParseEndpoint parses https://host[:port] or http://host[:port]. It adds https:// to a host without a protocol.
func ParseEndpoint(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		// The error does not contain the endpoint, which may include a password.
		return "", errors.New("the endpoint must be https://host[:port], without user, path or query")
	}
	return u.Scheme + "://" + u.Host, nil
}

// Bucket is a bucket on S3-compatible storage. It is safe for concurrent use.
type Bucket struct {
	at          Address
	client      *minio.Client
	credentials *credentials.Credentials
}

func Open(at Address) (*Bucket, error) {
	endpoint, err := ParseEndpoint(at.Endpoint)
	if err != nil {
		return nil, err
	}
	lookup := minio.BucketLookupPath // addresses such as host/bucket, except on Amazon S3
	if endpoint == "" {
		endpoint, lookup = amazon, minio.BucketLookupAuto
	}
	scheme, host, _ := strings.Cut(endpoint, "://")
	creds := providers()
	client, err := minio.New(host, &minio.Options{Creds: creds, Secure: scheme == "https", Region: at.Region,
		BucketLookup: lookup, MaxRetries: maxAttempts})
	if err != nil {
		return nil, fmt.Errorf("reach storage: %w", err)
	}
	return &Bucket{at: at, client: client, credentials: creds}, nil
}

func providers() *credentials.Credentials {
	chain := []credentials.Provider{&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}}
	for _, name := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		if os.Getenv(name) != "" {
			return credentials.NewChainCredentials(append(chain, &credentials.IAM{}))
		}
	}
	return credentials.NewChainCredentials(chain)
}

// Secrets returns the credentials. Their fields are "" if requests are anonymous.
func (b *Bucket) Secrets() (credentials.Value, error) {
	v, err := b.credentials.GetWithContext(b.client.CredContext())
	if err != nil {
		return v, fmt.Errorf("find credentials: %w", err)
	}
	return v, nil
}

// Get returns the object at key and its ETag. data is nil if the object still has the given ETag. Get fails with
// ErrNone if the object doesn't exist, and with ErrTooLarge if it has more than limit bytes.
func (b *Bucket) Get(ctx context.Context, key, etag string, limit int64) (data []byte, now string, err error) {
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	var o minio.GetObjectOptions
	if etag != "" {
		if err := o.SetMatchETagExcept(etag); err != nil {
			return nil, "", fmt.Errorf("read %s: %w", key, err)
		}
	}
	object, err := b.client.GetObject(ctx, b.at.Name, key, o)
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", key, err)
	}
	defer object.Close()
	data, err = io.ReadAll(io.LimitReader(object, limit+1))
	switch status := minio.ToErrorResponse(err).StatusCode; {
	case err != nil && status == http.StatusNotModified:
		return nil, etag, nil
	case err != nil && status == http.StatusNotFound:
		return nil, "", fmt.Errorf("read %s: %w: %w", key, ErrNone, err)
	case err != nil:
		return nil, "", fmt.Errorf("read %s: %w", key, err)
	case int64(len(data)) > limit:
		return nil, "", fmt.Errorf("read %s: %w: more than %d bytes", key, ErrTooLarge, limit)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", key, err)
	}
	if etag != "" && info.ETag == etag { // the service ignored the condition
		return nil, etag, nil
	}
	return data, info.ETag, nil
}

// Condition is a condition that an existing object must meet before a write replaces it.
type Condition func(*minio.PutObjectOptions)

func Unconditional(*minio.PutObjectOptions) {}

func IfAbsent(o *minio.PutObjectOptions) { o.SetMatchETagExcept("*") }

func IfUnchanged(etag string) Condition {
	return func(o *minio.PutObjectOptions) { o.SetMatchETag(etag) }
}

// Put writes an object if the existing object meets c, and fails with ErrChanged otherwise. Services without
// conditional writes ignore c.
func (b *Bucket) Put(ctx context.Context, key, mediaType string, data []byte, c Condition) error {
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	o := minio.PutObjectOptions{ContentType: mediaType}
	c(&o)
	_, err := b.client.PutObject(ctx, b.at.Name, key, bytes.NewReader(data), int64(len(data)), o)
	if err == nil {
		return nil
	}
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return fmt.Errorf("write %s: %w: %w", key, ErrChanged, err)
	}
	return fmt.Errorf("write %s: %w", key, err)
}

func (b *Bucket) Copy(ctx context.Context, from, to string) error {
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	_, err := b.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: b.at.Name, Object: to},
		minio.CopySrcOptions{Bucket: b.at.Name, Object: from})
	if err != nil {
		return fmt.Errorf("copy %s to %s: %w", from, to, err)
	}
	return nil
}

type Entry struct {
	Key      string
	Modified time.Time
}

// List yields the objects whose keys begin with prefix, sorted by key. It stops after an error.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // ends the listing if the loop stops early
		for o := range b.client.ListObjects(ctx, b.at.Name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Entry{}, fmt.Errorf("list %s: %w", prefix, o.Err))
				return
			}
			if !yield(Entry{Key: o.Key, Modified: o.LastModified}, nil) {
				return
			}
		}
	}
}

func (b *Bucket) Remove(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	if err := b.client.RemoveObject(ctx, b.at.Name, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("remove %s: %w", key, err)
	}
	return nil
}
