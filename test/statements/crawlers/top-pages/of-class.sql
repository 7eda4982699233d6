SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '[\'search\',\'training\']';
SET param_p6 = '[\'search\',\'assistant\',\'training\',\'unknown\']';
SET param_p7 = '2026-03-01';
SET param_p8 = '00000000-0000-4000-8000-000000000001';
SET param_p9 = 'content';
SET param_p10 = '54';
SET param_p11 = '00000000-0000-4000-8000-000000000001';
SET param_p12 = '54';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p0:UUID})
      AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
    )
  ),
  -- A mark for the crawler of each agent; hidden is not 0 if the filter hides its purpose.
  marks AS (
    SELECT agent_key, crawler_id, bitShiftLeft(toUInt256(1), dense_rank() OVER (ORDER BY crawler_id) - 1) AS mark,
      if(purpose IN {p5:Array(String)}, 0, toUInt8(indexOf({p6:Array(String)}, purpose))) AS hidden
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p7:String} AND scope != 'ads'
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
      AND counted.page_id IN (
        SELECT page_id FROM spoor.pages FINAL WHERE site_id = {p8:UUID} AND path_class = {p9:String}
      )
    GROUP BY page_id, hidden
    ORDER BY hidden DESC, requests DESC
    LIMIT {p10:UInt64} WITH TIES
  ),
  -- The names of the pages of the site.
  names AS (
    SELECT page_id, host, path, path_fidelity, path_class
    FROM spoor.pages FINAL
    WHERE site_id = {p11:UUID} AND 1
  )
SELECT
  names.host AS host, names.path AS path,
  toString(names.path_fidelity) AS path_fidelity, toString(names.path_class) AS path_class,
  hidden, requests, observed, crawlers, total_pages, total_requests
FROM names
RIGHT JOIN top USING (page_id)
ORDER BY hidden DESC, requests DESC, host, path
LIMIT {p12:UInt64};
