SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',21)]';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p4 = '[]';
SET param_p5 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p6 = '[\'*.example.com\',\'example.org\']';
SET param_p7 = '.example.com';
SET param_p8 = '[\'shop.example.com\']';
SET param_p9 = '[]';
SET param_p10 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p11 = '[\'example.org\']';
SET param_p12 = '00000000-0000-4000-8000-000000000001';
SET param_p13 = '[\'2026-03-03\']';
SET param_p14 = '2026-03-03 12:00:00.000';
SET param_p15 = '[7]';
SET param_p16 = '2026-03-01';
SET param_p17 = '2026-03-03';
SET param_p18 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p19 = '2026-03-01';
SET param_p20 = '2026-03-01';
SET param_p21 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p22 = '[\'*.example.com\',\'example.org\']';
SET param_p23 = '.example.com';
SET param_p24 = '[\'shop.example.com\']';
SET param_p25 = '2026-03-03';
SET param_p26 = '2026-03-03';
SET param_p27 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p28 = '[\'example.org\']';
SET param_p29 = '[\'search\',\'training\']';
SET param_p30 = '[\'search\',\'assistant\',\'training\',\'unknown\']';
SET param_p31 = '2026-03-01';
SET param_p32 = '54';
SET param_p33 = '00000000-0000-4000-8000-000000000001';
SET param_p34 = '54';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_monthly
    WHERE (
      (site_id = {p0:UUID})
      AND ((month, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (
        (
          (((month IN {p2:Array(Date)}) AND (source_id IN {p3:Array(UUID)})))
          OR (
            (
              (month IN {p4:Array(Date)})
              AND (source_id IN {p5:Array(UUID)})
              AND (((host IN {p6:Array(String)}) OR (endsWith(host, {p7:String}) AND host NOT IN {p8:Array(String)})))
            )
          )
          OR (((month IN {p9:Array(Date)}) AND (source_id IN {p10:Array(UUID)}) AND (NOT (host IN {p11:Array(String)}))))
        )
      )
    )
    UNION ALL
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p12:UUID})
      AND (day IN {p13:Array(Date)})
      AND (at <= {p14:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p15:Array(UInt64)})))
      AND (
        (
          ((((day BETWEEN {p16:Date} AND {p17:Date})) AND (source_id IN {p18:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p19:Date} AND {p20:Date}))
              AND (source_id IN {p21:Array(UUID)})
              AND (((host IN {p22:Array(String)}) OR (endsWith(host, {p23:String}) AND host NOT IN {p24:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p25:Date} AND {p26:Date})) AND (source_id IN {p27:Array(UUID)}) AND (NOT (host IN {p28:Array(String)})))
          )
        )
      )
    )
  ),
  -- A mark for the crawler of each agent; hidden is not 0 if the filter hides its purpose.
  marks AS (
    SELECT agent_key, crawler_id, bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1) AS mark,
      if(purpose IN {p29:Array(String)}, 0, toUInt8(indexOf({p30:Array(String)}, purpose))) AS hidden
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p31:String} AND scope != 'ads'
    )
  ),
  -- The pages with the most requests, ties included, and the hidden requests of each purpose.
  top AS (
    SELECT
      if(marks.hidden = 0, counted.page_id, 0) AS page_id,
      marks.hidden AS hidden,
      sum(counted.requests) AS requests,
      sum(counted.observed) AS observed,
      bitCount(groupBitOr(marks.mark)) AS crawlers,
      countIf(hidden = 0) OVER () AS total_pages,
      sumIf(sum(counted.requests), hidden = 0) OVER () AS total_requests
    FROM counted
    INNER JOIN marks USING (agent_key)
    WHERE 1
    GROUP BY page_id, hidden
    ORDER BY hidden DESC, requests DESC
    LIMIT {p32:UInt64} WITH TIES
  ),
  -- The names of the pages of the site.
  names AS (
    SELECT page_id, host, path, path_fidelity, path_class
    FROM spoor.pages FINAL
    WHERE site_id = {p33:UUID} AND 1
  )
SELECT
  names.host AS host, names.path AS path,
  toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
  hidden, requests, observed, crawlers, total_pages, total_requests
FROM names
RIGHT JOIN top USING (page_id)
ORDER BY hidden DESC, requests DESC, host, path
LIMIT {p34:UInt64};
