SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p6 = '2026-03-01';
SET param_p7 = '2026-03-01';
SET param_p8 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p9 = '[\'*.example.com\',\'example.org\']';
SET param_p10 = '.example.com';
SET param_p11 = '[\'shop.example.com\']';
SET param_p12 = '2026-03-03';
SET param_p13 = '2026-03-03';
SET param_p14 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p15 = '[\'example.org\']';
SET param_p16 = '00000000-0000-4000-8000-000000000001';
SET param_p17 = '[\'2026-03-03\']';
SET param_p18 = '2026-03-03 12:00:00.000';
SET param_p19 = '[7]';
SET param_p20 = '2026-03-01';
SET param_p21 = '2026-03-03';
SET param_p22 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p23 = '2026-03-01';
SET param_p24 = '2026-03-01';
SET param_p25 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p26 = '[\'*.example.com\',\'example.org\']';
SET param_p27 = '.example.com';
SET param_p28 = '[\'shop.example.com\']';
SET param_p29 = '2026-03-03';
SET param_p30 = '2026-03-03';
SET param_p31 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p32 = '[\'example.org\']';
SET param_p33 = '2026-03-01';
SET param_p34 = '51';
WITH
  -- Pages of the site whose name holds the search text.
  names AS (
    SELECT page_id, host, path
    FROM spoor.pages FINAL
    WHERE site_id = {p0:UUID} AND 1
  ),
  -- Partial counts of pages; a page may have several.
  seen AS (
    SELECT page_id, toUInt64(0) AS pageviews, crawled.requests AS requests
    FROM (
      WITH
        -- Requests that count; of some there may be several rows.
        counted AS (
          SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_outcomes_daily
          WHERE (
            (site_id = {p1:UUID})
            AND ((day, build) IN {p2:Array(Tuple(Date, UInt64))})
            AND (
              (
                ((((day BETWEEN {p3:Date} AND {p4:Date})) AND (source_id IN {p5:Array(UUID)})))
                OR (
                  (
                    ((day BETWEEN {p6:Date} AND {p7:Date}))
                    AND (source_id IN {p8:Array(UUID)})
                    AND (((host IN {p9:Array(String)}) OR (endsWith(host, {p10:String}) AND host NOT IN {p11:Array(String)})))
                  )
                )
                OR (
                  (((day BETWEEN {p12:Date} AND {p13:Date})) AND (source_id IN {p14:Array(UUID)}) AND (NOT (host IN {p15:Array(String)})))
                )
              )
            )
          )
          UNION ALL
          SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, at AS last_at
          FROM spoor.requests FINAL
          WHERE (
            (site_id = {p16:UUID})
            AND (day IN {p17:Array(Date)})
            AND (at <= {p18:DateTime64(3, 'UTC')})
            AND (((reading = 0) OR (reading IN {p19:Array(UInt64)})))
            AND (
              (
                ((((day BETWEEN {p20:Date} AND {p21:Date})) AND (source_id IN {p22:Array(UUID)})))
                OR (
                  (
                    ((day BETWEEN {p23:Date} AND {p24:Date}))
                    AND (source_id IN {p25:Array(UUID)})
                    AND (((host IN {p26:Array(String)}) OR (endsWith(host, {p27:String}) AND host NOT IN {p28:Array(String)})))
                  )
                )
                OR (
                  (((day BETWEEN {p29:Date} AND {p30:Date})) AND (source_id IN {p31:Array(UUID)}) AND (NOT (host IN {p32:Array(String)})))
                )
              )
            )
          )
        )
      SELECT page_id, agent_key, requests FROM counted
    ) AS crawled
    INNER JOIN (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p33:String} AND scope != 'ads'
    ) AS labels USING (agent_key)
  )
SELECT names.host AS host, names.path AS path, sum(seen.pageviews) AS pageviews, sum(seen.requests) AS requests
FROM names
INNER JOIN seen USING (page_id)
GROUP BY host, path
ORDER BY pageviews DESC, requests DESC, host, path
LIMIT {p34:UInt64};
