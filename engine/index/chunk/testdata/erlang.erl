%% A counter.
-module(counter).
-export([start/0, loop/1]).
-define(LIMIT, 10).
-record(state, {n = 0}).

%% Starts it.
-spec start() -> pid().
start() ->
    spawn(?MODULE, loop, [#state{}]).

loop(#state{n = N}) when N < ?LIMIT ->
    receive
        stop -> ok
    end;
loop(S) ->
    S.
