using System;
using System.Collections.Generic;

namespace Shop.Orders
{
    /// <summary>What an order can be.</summary>
    public enum OrderState { Open, Paid }

    public record Line(string Sku, int Count);

    public interface IOrderStore
    {
        Order Load(Guid id);
    }

    /// <summary>An order of one customer.</summary>
    [Serializable]
    public class Order : IComparable<Order>
    {
        public const int MaxLines = 100;
        private readonly List<Line> _lines = new();
        public event EventHandler Changed;
        public Guid Id { get; init; }

        public Order(Guid id) { Id = id; }

        /// <summary>Adds a line.</summary>
        [Obsolete("use Append")]
        public void Add(Line line)
        {
            if (_lines.Count >= MaxLines) throw new InvalidOperationException();
            _lines.Add(line);
        }

        public int CompareTo(Order other) => Id.CompareTo(other.Id);
        public delegate void Visitor(Line line);
        public static Order operator +(Order a, Line b) { a.Add(b); return a; }
    }
}
