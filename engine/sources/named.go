package sources

import (
	"encoding/json"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/named"
)

func (s *Sources) NamedSearch(name, query string, k int) (api.NamedAnswer, error) {
	return s.named.Search(name, query, k)
}

func (s *Sources) NamedAdd(name, id, content string, metadata json.RawMessage) (replaced bool, tokens int, err error) {
	return s.named.Add(name, id, content, metadata)
}

func (s *Sources) NamedIndexes() api.NamedIndexes { return s.named.List() }

func (s *Sources) RemoveNamed(name string) error {
	if err := s.named.Drop(name); err != nil {
		return api.New(api.InvalidArgument, err.Error()+".", err.Error(), err)
	}
	s.changed(api.SourceNamed)
	return nil
}

func (s *Sources) NamedCreate(x api.NamedIndex) error {
	err := s.named.Create(x.Name, x.Backend, named.Tokenizer{Lowercase: x.Lowercase, MinLength: x.MinLength})
	if err == nil {
		s.changed(api.SourceNamed)
	}
	return err
}
