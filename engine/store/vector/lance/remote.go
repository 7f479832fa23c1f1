//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

import (
	"context"

	"github.com/lancedb/lancedb-go/pkg/contracts"

	"searchmcp/engine/host/native"
	"searchmcp/engine/store/vector"
)

const (
	remoteTimeout = 30 // seconds for a request with all its retries
	remoteConnect = 10 // seconds to connect
)

func options(r vector.Remote) *contracts.ConnectionOptions {
	set := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	anonymous, http, pathStyle := r.AccessKey == "", r.PlainHTTP(), r.Endpoint != ""
	timeout, connect, retries := remoteTimeout, remoteConnect, 3
	return &contracts.ConnectionOptions{StorageOptions: &contracts.StorageOptions{
		S3Config: &contracts.S3Config{
			AccessKeyID: set(r.AccessKey), SecretAccessKey: set(r.Secret), SessionToken: set(r.Session),
			Region: set(r.Region), Endpoint: set(r.Endpoint), ForcePathStyle: &pathStyle, AnonymousAccess: &anonymous,
		},
		AllowHTTP: &http, Timeout: &timeout, ConnectTimeout: &connect, MaxRetries: &retries,
	}}
}

func (db *DB) Index(ctx context.Context, at vector.Location) error {
	return db.call(ctx, at, "train index of remote vectors", func(t contracts.ITable) error {
		there, err := t.GetAllIndexes(ctx)
		if err != nil || len(there) > 0 {
			return err
		}
		native.TempDir() // for the temporary files of CreateIndex
		return t.CreateIndex(ctx, []string{"vector"}, contracts.IndexTypeIvfFlat)
	})
}
