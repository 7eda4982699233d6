SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-03 12:00:00.000';
SET param_p2 = '2026-03-03';
SET param_p3 = '4';
SET param_p4 = '1';
SELECT toString(event) AS event, toUnixTimestamp64Milli(at) AS at_ms, toString(precision) AS precision,
  toString(source_id) AS source_id, toString(delivery_id) AS delivery_id, reading, requests, provider_estimate,
  toString(host) AS host, path, toString(path_fidelity) AS path_fidelity, toString(path_class) AS path_class, status,
  status_raw, toString(method) AS method, toString(edge_action) AS edge_action, toString(user_agent) AS user_agent,
  toUnixTimestamp64Milli(received_at) AS received_ms
FROM spoor.requests FINAL
WHERE (
  (((site_id = {p0:UUID}) AND (received_at <= {p1:DateTime64(3, 'UTC')})))
  AND (((day = {p2:Date}) AND (cityHash64(requests.event) % {p3:UInt64} = {p4:UInt64})))
)
ORDER BY requests.event;
