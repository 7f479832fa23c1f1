package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The parts of CycloneDX 1.6's JSON that are written (the specification's bom-1.6.schema.json).
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type     string   `json:"type"`
		Ref      string   `json:"bom-ref"`
		Name     string   `json:"name"`
		Version  string   `json:"version"`
		Hashes   []hash   `json:"hashes,omitempty"`
		Licences []choice `json:"licenses,omitempty"`
		PURL     string   `json:"purl,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	// choice is an expression or a licence; the format allows one expression or any number of licences.
	choice struct {
		Expression string   `json:"expression,omitempty"`
		Licence    *licence `json:"license,omitempty"`
	}
	licence struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
		Text *text  `json:"text,omitempty"`
	}
	text struct {
		ContentType string `json:"contentType"`
		Content     string `json:"content"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// render writes the bill of a release.
func render(version, platform string, date time.Time, parts []part) ([]byte, error) {
	self := component{
		Type: "application", Ref: "search-mcp", Name: "search-mcp", Version: version,
		PURL:     "pkg:generic/search-mcp@" + version,
		Licences: []choice{{Licence: &licence{ID: "Apache-2.0"}}},
	}
	b := bom{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{date.Format(time.RFC3339), self}}
	all, lancedb := dependency{Ref: self.Ref}, dependency{}
	for _, p := range parts {
		c := component{Type: p.kind, Ref: p.purl, Name: p.name, Version: p.version, PURL: p.purl, Licences: p.choices()}
		if p.sha256 != "" {
			c.Hashes = []hash{{"SHA-256", p.sha256}}
		}
		b.Components = append(b.Components, c)
		switch {
		case strings.HasPrefix(p.purl, "pkg:generic/lancedb@"):
			lancedb.Ref = p.purl
			all.DependsOn = append(all.DependsOn, p.purl)
		case strings.HasPrefix(p.purl, "pkg:cargo/"):
			lancedb.DependsOn = append(lancedb.DependsOn, p.purl)
		default:
			all.DependsOn = append(all.DependsOn, p.purl)
		}
	}
	slices.SortFunc(b.Components, func(x, y component) int { return strings.Compare(x.Ref, y.Ref) })
	slices.Sort(all.DependsOn)
	slices.Sort(lancedb.DependsOn)
	b.Dependencies = []dependency{all}
	if lancedb.Ref != "" {
		b.Dependencies = append(b.Dependencies, lancedb)
	}
	// The serial number is a UUID (version 8, RFC 9562) of what the bill says, so that the same bill has the same one.
	content, err := encode(b)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(content, platform...))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	b.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	return encode(b)
}

// choices gives every licence of a part with its text. A text that none of the known licences is, is named for the
// part.
func (p part) choices() []choice {
	var list []choice
	for i, t := range p.texts {
		l := licence{Text: &text{"text/plain", t}}
		switch ids := recognise([]string{t}); {
		case len(ids) == 1:
			l.ID = ids[0]
		case p.licence != "" && len(p.texts) == 1:
			l.Name = p.licence
		default:
			l.Name = fmt.Sprintf("%s, notice %d", p.name, i+1)
		}
		list = append(list, choice{Licence: &l})
	}
	if len(list) == 0 {
		list = append(list, choice{Expression: p.licence})
	}
	return list
}

func encode(b bom) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(b); err != nil {
		return nil, fmt.Errorf("encode bill of materials: %w", err)
	}
	return out.Bytes(), nil
}
