defmodule Shop.Cart do
  @moduledoc """
  A shopping cart.
  """
  use GenServer
  alias Shop.Item

  @limit 100
  defstruct items: [], owner: nil

  @type t :: %__MODULE__{items: list()}

  @doc """
  Adds an item.
  """
  @spec add(t, Item.t()) :: t
  def add(%__MODULE__{items: items} = cart, item) when length(items) < @limit do
    %{cart | items: [item | items]}
  end

  def add(cart, _item), do: cart

  defp total(cart) do
    Enum.reduce(cart.items, 0, fn item, sum -> sum + item.price end)
  end

  defmacro trace(expr) do
    quote do: IO.inspect(unquote(expr))
  end

  defmodule Empty do
    defexception message: "empty"
  end
end

defprotocol Shop.Priced do
  def price(thing)
end

defimpl Shop.Priced, for: Shop.Cart do
  def price(cart), do: length(cart.items)
end
