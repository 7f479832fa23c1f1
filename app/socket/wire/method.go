package wire

import "context"

// Method is the name of a private method, with its parameter and result types.
type Method[P, R any] string

// Caller sends a request and decodes its result into result.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

func (m Method[P, R]) Call(ctx context.Context, c Caller, params P) (result R, err error) {
	err = c.Call(ctx, string(m), params, &result)
	return result, err
}

// Do is Call without a result.
func (m Method[P, R]) Do(ctx context.Context, c Caller, params P) error {
	_, err := m.Call(ctx, c, params)
	return err
}
