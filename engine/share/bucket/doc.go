// Package bucket owns connections to S3-compatible storage: addresses, credentials, conditional reads and writes of
// small objects. It is the sole importer of minio-go and exports none of its types or errors. It opens a connection
// only when a method is called.
//
// Credentials come from the usual places at that moment and are never written. These are the variables of AWS and of
// MinIO, ~/.aws/credentials (profile by AWS_PROFILE), and a container's or a web identity's role if the environment has
// one. Only in that case are they requested from the network. Without credentials, requests are anonymous.
//
// It must not know the meaning of the objects.
//
// It starts no goroutine that outlives a call and has no lock.
package bucket
