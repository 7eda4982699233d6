SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = 'pri';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p4 = '[11,12]';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '[\'2026-03-03\']';
SET param_p7 = '2026-03-03 12:00:00.000';
SET param_p8 = '00000000-0000-4000-8000-000000000001';
SET param_p9 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p10 = '2026-03-01';
SET param_p11 = '2026-03-03';
SET param_p12 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p13 = '2026-03-01';
SET param_p14 = '2026-03-01';
SET param_p15 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p16 = '[\'*.example.com\',\'example.org\']';
SET param_p17 = '.example.com';
SET param_p18 = '[\'shop.example.com\']';
SET param_p19 = '2026-03-03';
SET param_p20 = '2026-03-03';
SET param_p21 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p22 = '[\'example.org\']';
SET param_p23 = '00000000-0000-4000-8000-000000000001';
SET param_p24 = '[\'2026-03-03\']';
SET param_p25 = '2026-03-03 12:00:00.000';
SET param_p26 = '[7]';
SET param_p27 = '2026-03-01';
SET param_p28 = '2026-03-03';
SET param_p29 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p30 = '2026-03-01';
SET param_p31 = '2026-03-01';
SET param_p32 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p33 = '[\'*.example.com\',\'example.org\']';
SET param_p34 = '.example.com';
SET param_p35 = '[\'shop.example.com\']';
SET param_p36 = '2026-03-03';
SET param_p37 = '2026-03-03';
SET param_p38 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p39 = '[\'example.org\']';
SET param_p40 = '2026-03-01';
SET param_p41 = '51';
WITH
  -- Pages of the site whose name holds the search text.
  names AS (
    SELECT page_id, host, path
    FROM spoor.pages FINAL
    WHERE site_id = {p0:UUID} AND positionCaseInsensitiveUTF8(host, {p1:String}) > 0
  ),
  -- Partial counts of pages; a page may have several.
  seen AS (
    SELECT page_id, pageviews, toUInt64(0) AS requests
    FROM spoor.tracker_page_daily
    WHERE ((site_id = {p2:UUID}) AND (((day IN {p3:Array(Date)}) AND (build IN {p4:Array(UInt64)}))))
    UNION ALL
    SELECT page_id, toUInt64(1) AS pageviews, toUInt64(0) AS requests
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p5:UUID})
      AND (day IN {p6:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p7:DateTime64(3, 'UTC')})
    ) AND kind = 'pageview'
    UNION ALL
    SELECT page_id, toUInt64(0) AS pageviews, crawled.requests AS requests
    FROM (
      WITH
        -- Requests that count; of some there may be several rows.
        counted AS (
          SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_outcomes_daily
          WHERE (
            (site_id = {p8:UUID})
            AND ((day, build) IN {p9:Array(Tuple(Date, UInt64))})
            AND (
              (
                ((((day BETWEEN {p10:Date} AND {p11:Date})) AND (source_id IN {p12:Array(UUID)})))
                OR (
                  (
                    ((day BETWEEN {p13:Date} AND {p14:Date}))
                    AND (source_id IN {p15:Array(UUID)})
                    AND (((host IN {p16:Array(String)}) OR (endsWith(host, {p17:String}) AND host NOT IN {p18:Array(String)})))
                  )
                )
                OR (
                  (((day BETWEEN {p19:Date} AND {p20:Date})) AND (source_id IN {p21:Array(UUID)}) AND (NOT (host IN {p22:Array(String)})))
                )
              )
            )
          )
          UNION ALL
          SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, at AS last_at
          FROM spoor.requests FINAL
          WHERE (
            (site_id = {p23:UUID})
            AND (day IN {p24:Array(Date)})
            AND (at <= {p25:DateTime64(3, 'UTC')})
            AND (((reading = 0) OR (reading IN {p26:Array(UInt64)})))
            AND (
              (
                ((((day BETWEEN {p27:Date} AND {p28:Date})) AND (source_id IN {p29:Array(UUID)})))
                OR (
                  (
                    ((day BETWEEN {p30:Date} AND {p31:Date}))
                    AND (source_id IN {p32:Array(UUID)})
                    AND (((host IN {p33:Array(String)}) OR (endsWith(host, {p34:String}) AND host NOT IN {p35:Array(String)})))
                  )
                )
                OR (
                  (((day BETWEEN {p36:Date} AND {p37:Date})) AND (source_id IN {p38:Array(UUID)}) AND (NOT (host IN {p39:Array(String)})))
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
      WHERE registry_version = {p40:String} AND scope != 'ads'
    ) AS labels USING (agent_key)
  )
SELECT names.host AS host, '' AS path, sum(seen.pageviews) AS pageviews, sum(seen.requests) AS requests
FROM names
INNER JOIN seen USING (page_id)
GROUP BY host, path
ORDER BY pageviews DESC, requests DESC, host, path
LIMIT {p41:UInt64};
