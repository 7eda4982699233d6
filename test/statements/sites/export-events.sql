SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-03 12:00:00.000';
SET param_p2 = '2026-03-03';
SET param_p3 = '4';
SET param_p4 = '1';
SELECT toString(id) AS id, toString(stream) AS stream, toUnixTimestamp64Milli(received_at) AS received_ms,
  toString(seq) AS seq, toString(request) AS request, toString(visitor) AS visitor, toString(kind) AS kind,
  toString(name) AS name, toString(hostname) AS hostname, path, toString(path_fidelity) AS path_fidelity,
  toString(referrer_host) AS referrer_host, has_click_id, toString(utm_source) AS utm_source,
  toString(utm_medium) AS utm_medium, toString(utm_campaign) AS utm_campaign, toString(utm_term) AS utm_term,
  toString(utm_content) AS utm_content, props, toString(revenue_kind) AS revenue_kind, amount_minor,
  toString(currency) AS currency, toString(order_key) AS order_key
FROM spoor.events FINAL
WHERE (
  (((site_id = {p0:UUID}) AND (received_at <= {p1:DateTime64(3, 'UTC')})))
  AND (((day = {p2:Date}) AND (cityHash64(events.id) % {p3:UInt64} = {p4:UInt64})))
)
ORDER BY events.stream, events.id;
