// Package bucket owns connections to S3-compatible storage: addresses, credentials, conditional reads and writes of
// small objects. It opens a connection only when a method is called.
//
// The method then reads credentials from the environment variables of AWS or MinIO, from ~/.aws/credentials, or from
// the network if the environment names the role of a container or of a web identity. Credentials are never written. If
// no credentials are found, requests are anonymous.
//
// It must not depend on the meaning of the objects. No goroutine outlives a call. It has no lock.
package bucket
