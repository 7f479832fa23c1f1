// Package bucket reads and writes objects on S3-compatible storage. Writes can have a condition. Only calls of its
// methods open connections.
//
// Credentials come from the environment variables of AWS or MinIO, or from ~/.aws/credentials. If the environment
// configures a container role or a web identity, credentials are fetched from the network. Without credentials,
// requests are anonymous. Credentials are never written.
//
// It must not depend on the meaning of the objects. No goroutine outlives a call. It has no lock.
package bucket
