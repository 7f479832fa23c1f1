// Package bucket owns connections to S3-compatible storage: addresses, credentials, conditional reads and writes of
// small objects. It is the sole importer of minio-go; none of its types or errors leaves it. It opens a connection when
// a method is called and never by itself.
//
// Credentials come from the usual places, as they are at that moment, and are written nowhere: the variables of AWS and
// of MinIO, ~/.aws/credentials (profile by AWS_PROFILE), and a container's or a web identity's role where the
// environment says that there is one. Nothing is asked of the network to find them unless it does. Without any,
// requests are anonymous.
//
// It must not know what the objects mean.
//
// It starts no goroutine that outlives a call and holds no lock.
package bucket
