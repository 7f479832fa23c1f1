// Package buckettest runs an S3 server on loopback for tests. Only tests import it.
package buckettest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

type Server struct {
	*httptest.Server
	Backend  *s3mem.Backend
	Bucket   string
	Requests atomic.Int64
	Sent     atomic.Int64 // bytes in write requests
	Refuse   atomic.Pointer[func(*http.Request) int]
}

func New(t testing.TB, bucket string) *Server {
	t.Helper()
	for _, name := range []string{"AWS_SESSION_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")
	s := &Server{Backend: s3mem.New(), Bucket: bucket}
	if err := s.Backend.CreateBucket(bucket); err != nil {
		t.Fatal(err)
	}
	served := gofakes3.New(s.Backend).Server()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Requests.Add(1)
		if r.Method == http.MethodPut || r.Method == http.MethodPost {
			s.Sent.Add(max(r.ContentLength, 0))
		}
		if refuse := s.Refuse.Load(); refuse != nil {
			if status := (*refuse)(r); status != 0 {
				w.WriteHeader(status)
				return
			}
		}
		served.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *Server) Put(t testing.TB, key string, data []byte) {
	t.Helper()
	meta := map[string]string{"Last-Modified": time.Now().UTC().Format(http.TimeFormat)}
	if _, err := s.Backend.PutObject(s.Bucket, key, meta, bytes.NewReader(data), int64(len(data)), nil); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) Get(t testing.TB, key string) []byte {
	t.Helper()
	o, err := s.Backend.GetObject(s.Bucket, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Contents.Close()
	data, err := io.ReadAll(o.Contents)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (s *Server) Keys(t testing.TB) []string {
	t.Helper()
	list, err := s.Backend.ListBucket(s.Bucket, &gofakes3.Prefix{}, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, o := range list.Contents {
		keys = append(keys, o.Key)
	}
	return keys
}
