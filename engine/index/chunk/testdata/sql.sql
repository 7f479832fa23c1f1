-- Customers and what they ordered.
CREATE TABLE IF NOT EXISTS shop.customers (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE UNIQUE INDEX customers_name ON shop.customers (name);

/* Sums
   one customer. */
CREATE OR REPLACE FUNCTION total(customer BIGINT) RETURNS BIGINT AS $$
BEGIN
    RETURN (SELECT SUM(cents) FROM orders WHERE orders.customer = total.customer);
END;
$$ LANGUAGE plpgsql;
