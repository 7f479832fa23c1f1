package share

import (
	"cmp"
	"net/url"
	"os"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/share/bucket"
)

type Location struct {
	Bucket, Prefix string
	Endpoint       string // https://host or http://host; "" for Amazon S3
	Region         string
}

// ParseLocation parses s3://bucket/prefix?endpoint=https://host&region=name. A missing endpoint is taken from
// AWS_ENDPOINT_URL_S3, or else AWS_ENDPOINT_URL. A missing region is taken from AWS_REGION, or else AWS_DEFAULT_REGION.
func ParseLocation(s string) (Location, error) {
	want := func(what string) (Location, error) {
		return Location{}, api.ErrArgument("location", what)
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return want("s3://bucket/prefix, without a user name")
	}
	l := Location{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/")}
	if strings.Contains("/"+l.Prefix+"/", "/../") {
		return want("a prefix without ..")
	}
	for key, values := range u.Query() {
		switch key {
		case "endpoint":
			l.Endpoint = values[0]
		case "region":
			l.Region = values[0]
		default:
			return want("no parameters but endpoint and region")
		}
	}
	l.Endpoint = cmp.Or(l.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))
	l.Region = cmp.Or(l.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if l.Endpoint, err = bucket.ParseEndpoint(l.Endpoint); err != nil {
		return want("an endpoint such as https://storage.example.com")
	}
	return l, nil
}

func (l Location) String() string {
	u := url.URL{Scheme: "s3", Host: l.Bucket, Path: "/" + l.Prefix}
	q := url.Values{}
	if l.Endpoint != "" {
		q.Set("endpoint", l.Endpoint)
	}
	if l.Region != "" {
		q.Set("region", l.Region)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func (l Location) key(name string) string { return strings.TrimPrefix(l.Prefix+"/"+name, "/") }
