package wire

import "searchmcp/engine/api"

// Methods for an index that a team shares on S3-compatible storage. The caller has asked the user, because from then on
// the app connects to that storage.
const (
	MethodShareAdd     Method[Share, api.Project]      = Prefix + "share/add" // returns after the first fetch
	MethodShareRemove  Method[ProjectRef, api.Project] = Prefix + "share/remove"
	MethodSharePublish Method[Share, api.Publication]  = Prefix + "share/publish" // reports progress to a token
)

// Share contains a project, as in ProjectRef, and a location on S3-compatible storage.
type Share struct {
	Project  string `json:"project,omitempty"`
	Location string `json:"location"` // s3://bucket/prefix?endpoint=…&region=…
}
