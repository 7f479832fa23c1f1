// Package bucket owns connections to S3-compatible storage: addresses, credentials, conditional reads and writes of
// small objects. It is the sole importer of minio-go and exports none of its types or errors. It opens a connection
// only when a method is called.
//
// The method then reads credentials from the environment variables of AWS or MinIO, from ~/.aws/credentials, or from
// the network if the environment names a container's or a web identity's role. Credentials are never written. Without
// them, requests are anonymous.
//
// It must not know the meaning of objects.
//
// It starts no goroutine that outlives a call and has no lock.
package bucket
