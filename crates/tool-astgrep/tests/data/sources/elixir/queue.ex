defmodule Mail.Queue do
  @moduledoc """
  Keeps messages until they can be sent.
  """
  use GenServer
  require Logger
  import Enum, only: [map: 2, reduce: 3]
  alias Mail.{Message, Transport}
  alias Mail.Store, as: Disk

  @retries 3
  @type state :: %{pending: [Message.t()], failed: non_neg_integer()}
  defstruct name: nil, pending: [], opts: %{}

  @callback deliver(Message.t(), keyword()) :: :ok | {:error, term()}

  def start_link(opts \\ []) do
    GenServer.start_link(__MODULE__, opts, name: Keyword.get(opts, :name, __MODULE__))
  end

  @doc "Puts a message into the queue."
  @spec push(pid(), Message.t()) :: :ok
  def push(pid, %Message{to: to} = message) when is_binary(to) and byte_size(to) > 0 do
    GenServer.call(pid, {:push, message})
  end

  def push(_pid, other), do: {:error, {:bad_message, other}}

  @impl true
  def init(opts) do
    Process.flag(:trap_exit, true)
    {:ok, %__MODULE__{name: opts[:name], opts: Map.new(opts)}, {:continue, :load}}
  end

  @impl true
  def handle_continue(:load, state) do
    case Disk.read(state.name) do
      {:ok, messages} -> {:noreply, %{state | pending: messages}}
      {:error, :enoent} -> {:noreply, state}
      {:error, reason} ->
        Logger.error("cannot load: #{inspect(reason)}")
        {:stop, reason, state}
    end
  end

  @impl true
  def handle_call({:push, message}, _from, state) do
    {:reply, :ok, update_in(state.pending, &[message | &1])}
  end

  def handle_info(:tick, %{pending: []} = state), do: {:noreply, state}

  def handle_info(:tick, state) do
    {sent, failed} = Enum.split_with(state.pending, fn message -> send_one(message) == :ok end)
    Logger.debug(fn -> "sent #{length(sent)}" end)
    {:noreply, %{state | pending: failed}}
  end

  defp send_one(message, attempt \\ 1)
  defp send_one(_message, attempt) when attempt > @retries, do: {:error, :too_often}

  defp send_one(message, attempt) do
    with {:ok, address} <- parse(message.to),
         :ok <- Transport.connect(address, timeout: 5_000) do
      Transport.write(address, message.body)
    else
      {:error, :closed} -> send_one(message, attempt + 1)
      _ -> :error
    end
  rescue
    e in RuntimeError -> {:error, e.message}
  catch
    :exit, _ -> {:error, :exit}
  after
    :telemetry.execute([:mail, :sent], %{count: 1})
  end

  def parse(text) do
    if String.contains?(text, "@") do
      [user, host] = String.split(text, "@", parts: 2)
      {:ok, {user, host}}
    else
      {:error, :no_at}
    end
  end

  def stats(messages) do
    messages
    |> Enum.filter(&match?(%{sent: true}, &1))
    |> map(&(&1.size * 2))
    |> reduce(0, fn size, acc -> size + acc end)
  end

  def words(text) do
    for word <- String.split(text), word != "", into: MapSet.new() do
      word |> String.downcase() |> String.to_atom()
    end
  end

  def grade(n) do
    cond do
      n >= 90 and n <= 100 -> 'A'
      n > 50 -> ~s(B)
      true -> nil
    end
  end

  defmacro unless_empty(list, do: block) do
    quote do
      unless unquote(list) == [] do
        unquote(block)
      end
    end
  end

  def regex, do: ~r/^\w+@\w+$/i
  def bits(<<a::8, rest::binary>>), do: {a, not is_nil(rest), 0xFF, ?a, 1..10//2}
end
