(* A queue
   of two lists. *)
open Printf

type 'a t = { front : 'a list; back : 'a list }

exception Empty

let empty = { front = []; back = [] }

(** Pushes. *)
let push x q =
  { q with back = x :: q.back }

module Stats = struct
  let count = ref 0
end
