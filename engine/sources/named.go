package sources

import (
	"encoding/json"
	"errors"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/named"
)

// NamedSearch answers search_index. Errors that the tool gives word for word are api.SourceError.
func (s *Sources) NamedSearch(name, query string, k int) (api.NamedAnswer, error) {
	a, err := s.named.Search(name, query, k)
	if err != nil {
		return api.NamedAnswer{}, sourceError(err)
	}
	out := api.NamedAnswer{Results: make([]api.NamedResult, 0, len(a.Results)), Total: a.Total}
	for _, r := range a.Results {
		out.Results = append(out.Results, api.NamedResult(r))
	}
	if !a.Empty {
		parsed := api.NamedQuery(a.Parsed)
		out.Parsed = &parsed
	}
	return out, nil
}

// NamedAdd answers search_add_document.
func (s *Sources) NamedAdd(name, id, content string, metadata json.RawMessage) (replaced bool, tokens int, err error) {
	replaced, tokens, err = s.named.Add(name, id, content, metadata)
	return replaced, tokens, sourceError(err)
}

// NamedIndexes lists the named indexes.
func (s *Sources) NamedIndexes() api.NamedIndexes { return s.named.List() }

// RemoveNamed removes a named index with its documents; the default index is emptied.
func (s *Sources) RemoveNamed(name string) error {
	if err := s.named.Drop(name); err != nil {
		return api.New(api.InvalidArgument, err.Error()+".", err.Error(), err)
	}
	s.changed(api.SourceNamed)
	return nil
}

// NamedCreate answers search_create_index.
func (s *Sources) NamedCreate(x api.NamedIndex) error {
	tokenizer := named.Tokenizer{Lowercase: x.Lowercase, MinLength: x.MinLength}
	if err := s.named.Create(x.Name, x.Backend, tokenizer); err != nil {
		return sourceError(err)
	}
	s.changed(api.SourceNamed)
	return nil
}

func sourceError(err error) error {
	var known named.Error
	if errors.As(err, &known) {
		return api.SourceError(known)
	}
	return err
}
