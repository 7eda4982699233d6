SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '100000';
WITH
  -- Reports of sales and refunds, each once.
  reports AS (
    SELECT stream, order_key, revenue_kind, argMin(
      (toString(currency), amount_minor)::Tuple(currency String, amount_minor UInt64),
      seq
    ) AS money
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p0:UUID})
      AND (day IN {p1:Array(Date)})
      AND (stream IN ('browser', 'server'))
      AND (kind = 'revenue')
      AND (received_at <= {p2:DateTime64(3, 'UTC')})
    )
    GROUP BY stream, order_key, revenue_kind, id, if(stream = 'server', 0, seq)
  ),
  -- Sums of each currency and provenance, and of each order that was sold.
  groups AS (
    SELECT
      grouping(order_key) = 0 AS is_order, order_key, money.currency AS of_currency, toString(stream) AS of_stream,
      countIf(revenue_kind = 'sale' AND stream = 'browser') AS in_browser,
      countIf(revenue_kind = 'sale' AND stream = 'server') AS on_server,
      anyIf(money, revenue_kind = 'sale' AND stream = 'browser') AS browser_sale,
      anyIf(money, revenue_kind = 'sale' AND stream = 'server') AS server_sale,
      countIf(revenue_kind = 'refund') AS refund_count,
      sumIf(toUInt128(money.amount_minor), revenue_kind = 'sale') AS sold,
      sumIf(toUInt128(money.amount_minor), revenue_kind = 'refund') AS refunded
    FROM reports
    GROUP BY GROUPING SETS ((money.currency, stream), (order_key))
    HAVING NOT is_order OR in_browser + on_server > 0
  ),
  -- The same, no more orders than are compared, with how many there are.
  limited AS (
    SELECT *, is_order AND order_key != 0 AS is_compared, countIf(is_compared) OVER () AS total
    FROM groups
    ORDER BY order_key
    LIMIT {p3:UInt64} BY is_compared, of_currency, of_stream
  ),
  -- The same as rows of the answer: what was reported, and what each order is classed as.
  classed AS (
    SELECT
      if(is_order, 'class', 'reported') AS kind,
      if(is_order, '', of_currency) AS currency,
      if(is_order, '', of_stream) AS provenance,
      multiIf(
        NOT is_order, '',
        NOT is_compared, 'unkeyed',
        in_browser > 1 OR on_server > 1, 'duplicate',
        on_server = 0, 'browser_only',
        in_browser = 0, 'server_only',
        browser_sale.currency != server_sale.currency, 'currency_mismatch',
        browser_sale.amount_minor != server_sale.amount_minor, 'amount_mismatch',
        'matched'
      ) AS class,
      if(is_compared, 1, in_browser + on_server) AS events,
      if(is_order, 0, refund_count) AS refunds, sold, refunded, total
    FROM limited
  )
SELECT kind, currency, provenance, class, sum(events) AS events, sum(refunds) AS refunds,
  toString(sum(sold)) AS sold, toString(sum(refunded)) AS refunded, any(total) AS total_orders
FROM classed
GROUP BY kind, currency, provenance, class;
