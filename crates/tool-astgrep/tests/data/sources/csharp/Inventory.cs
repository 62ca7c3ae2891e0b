using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using static System.Math;

[assembly: CLSCompliant(false)]

namespace Warehouse.Stock;

public enum Unit : byte { Piece, Kilogram = 4, Litre }

public interface IStore<T> where T : class
{
    int Count { get; }
    Task<T?> FindAsync(string key, int limit = 10);
    event EventHandler<StockEventArgs> Changed;
}

public record Item(string Name, decimal Price, Unit Unit = Unit.Piece)
{
    public decimal Gross => Price * 1.2m;
}

public readonly struct Point
{
    public Point(int x, int y) { X = x; Y = y; }
    public int X { get; }
    public int Y { get; init; }
    public static Point operator +(Point a, Point b) => new(a.X + b.X, a.Y + b.Y);
}

public delegate bool Filter<in T>(T item);

public class StockEventArgs : EventArgs
{
    public required string Key { get; set; }
}

[Serializable]
public sealed class Inventory : IStore<Item>, IDisposable
{
    private const int MaxItems = 1_000;
    private static readonly object Gate = new object();
    private readonly Dictionary<string, Item> _items = new();
    private int[] _counts = { 1, 2, 3 };

    public event EventHandler<StockEventArgs>? Changed;

    public Inventory(IEnumerable<Item> items) : this()
    {
        foreach (var item in items)
        {
            _items[item.Name] = item;
        }
    }

    private Inventory() { }

    public int Count => _items.Count;

    public string Label
    {
        get { return $"{Count} items, {Total():F2}"; }
        private set => _label = value ?? throw new ArgumentNullException(nameof(value));
    }
    private string _label = "";

    public Item this[string name]
    {
        get => _items[name];
        set => _items[name] = value;
    }

    public decimal Total() => _items.Values.Sum(i => i.Price);

    [Obsolete("use FindAsync", error: false)]
    public async Task<Item?> FindAsync(string key, int limit = 10)
    {
        await Task.Delay(TimeSpan.FromMilliseconds(limit)).ConfigureAwait(false);
        lock (Gate)
        {
            if (_items.TryGetValue(key, out var item) && item is { Price: > 0 })
                return item;
            else if (key.Length == 0)
                throw new ArgumentException("empty", nameof(key));
        }
        return null;
    }

    public void Add(params Item[] items)
    {
        for (int i = 0; i < items.Length; i++)
        {
            if (_items.Count >= MaxItems) break;
            _items.Add(items[i].Name, items[i]);
            Changed?.Invoke(this, new StockEventArgs { Key = items[i].Name });
        }
    }

    public string Describe(object value)
    {
        switch (value)
        {
            case int n when n > 10:
                return "many";
            case null:
                goto default;
            default:
                return value?.ToString() ?? "none";
        }
    }

    public string Size(Item item) => item.Unit switch
    {
        Unit.Piece => "pc",
        Unit.Kilogram or Unit.Litre => $"{item.Price:0.0}",
        _ => throw new InvalidOperationException(),
    };

    public IEnumerable<string> Names(bool sorted)
    {
        var query = from i in _items.Values
                    where i.Price > 1
                    orderby i.Name descending
                    select i.Name;
        foreach (string name in sorted ? query : _items.Keys)
        {
            if (string.IsNullOrEmpty(name)) { continue; }
            yield return name;
        }
        yield break;
    }

    public bool TryLoad(string path, out int loaded)
    {
        loaded = 0;
        try
        {
            using var reader = new System.IO.StreamReader(path);
            string? line;
            while ((line = reader.ReadLine()) != null)
            {
                var parts = line.Split(new[] { ';', ',' }, 2);
                loaded += parts.Length > 1 ? 1 : 0;
            }
            return true;
        }
        catch (System.IO.IOException ex) when (ex.HResult != 0)
        {
            Console.Error.WriteLine(ex.Message);
            return false;
        }
        finally
        {
            _counts = Array.Empty<int>();
        }
    }

    public void Dispose()
    {
        unchecked { _counts[0]++; }
        Func<int, int> twice = x => x * 2;
        Action<string, int> print = (name, count) => { Console.WriteLine("{0}: {1}", name, count); };
        int Local(int n) => n <= 1 ? 1 : n * Local(n - 1);
        var (a, b) = (twice(2), Local(3));
        var range = _counts[1..^1];
        print(typeof(Item).Name, (int)Max(a, b) - range.Length);
        GC.SuppressFinalize(this);
    }
}
