defmodule Auth.Sessions do
  import Keys, only: [rotate: 1]

  @doc "Renews the keys."
  def rotate(now) do
    rotate(now)
    now |> rotate()
  end

  def login(s) do
    Auth.Sessions.rotate(s)
    Sessions.rotate s
    "rotate #{rotate(s)}"
    &rotate/1
  end
end
