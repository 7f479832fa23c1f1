package native

import (
	"cmp"
	"context"
)

// Op is the number of an operation whose arguments are an A. The answer is one R or several.
type Op[A, R any] byte

// Caller is the type of Process.Call, Process.CallAlone and Process.Retry.
type Caller func(ctx context.Context, op byte, args Body, item func(Body)) (Body, error)

func (o Op[A, R]) Call(ctx context.Context, call Caller, args A) (answer R, err error) {
	b, err := call(ctx, byte(o), Encode(&args), nil)
	if err == nil {
		err = Decode(b, &answer)
	}
	return answer, err
}

func (o Op[A, R]) Do(ctx context.Context, call Caller, args A) error {
	_, err := o.Call(ctx, call, args)
	return err
}

func (o Op[A, R]) Each(ctx context.Context, call Caller, args A, part func(R)) error {
	var bad error
	_, err := call(ctx, byte(o), Encode(&args), func(b Body) {
		var r R
		if err := Decode(b, &r); err != nil {
			bad = err
			return
		}
		part(r)
	})
	return cmp.Or(err, bad)
}

type Handlers map[byte]Handler

func (o Op[A, R]) Serve(h Handlers, f func(ctx context.Context, args A) (R, error)) {
	o.serve(h, func(ctx context.Context, args A, _ func(Body)) (Body, error) {
		answer, err := f(ctx, args)
		if err != nil {
			return nil, err
		}
		return Encode(&answer), nil
	})
}

func (o Op[A, R]) Act(h Handlers, f func(ctx context.Context, args A) error) {
	o.serve(h, func(ctx context.Context, args A, _ func(Body)) (Body, error) {
		var none R
		return Encode(&none), f(ctx, args)
	})
}

// ServeEach makes f the handler of o. f calls send for each part of the answer.
func (o Op[A, R]) ServeEach(h Handlers, f func(ctx context.Context, args A, send func(R)) error) {
	o.serve(h, func(ctx context.Context, args A, item func(Body)) (Body, error) {
		return nil, f(ctx, args, func(r R) { item(Encode(&r)) })
	})
}

func (o Op[A, R]) serve(h Handlers, f func(ctx context.Context, args A, item func(Body)) (Body, error)) {
	h[byte(o)] = func(ctx context.Context, b Body, item func(Body)) (Body, error) {
		var args A
		if err := Decode(b, &args); err != nil {
			return nil, err
		}
		return f(ctx, args, item)
	}
}
