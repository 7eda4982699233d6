SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '[\'search\',\'training\']';
SET param_p6 = '[\'search\',\'assistant\',\'training\',\'unknown\']';
SET param_p7 = '2026-03-01';
SET param_p8 = '250001';
SET param_p9 = '250000';
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
  -- Requests of each page, and the hidden requests of each purpose.
  sums AS (
    SELECT if(marks.hidden = 0, counted.page_id, 0) AS page_id, marks.hidden AS hidden, sum(counted.requests) AS requests,
      sum(counted.observed) AS observed, groupBitOr(marks.mark) AS mark
    FROM counted
    INNER JOIN marks USING (agent_key)
    WHERE 1
    GROUP BY page_id, hidden
  ),
  -- All pages as one list.
  lists AS (
    SELECT hidden, sum(sums.requests) AS all_requests, count() AS all_pages,
      arraySort(page -> page.id, groupArray({p8:UInt64})(CAST(
        (page_id, sums.requests, observed, mark) AS Tuple(
          id UInt64,
          requests Float64,
          observed Float64,
          mark UInt256
        )))) AS listed,
      if(hidden = 0 AND all_pages <= {p9:UInt64}, listed, []) AS found
    FROM sums
    GROUP BY hidden
  ),
  (SELECT arraySort(groupUniqArray(toString(crawler_id))) FROM marks) AS names
SELECT hidden, all_requests AS requests, all_pages AS pages, names AS crawlers,
  arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.id)), found)) AS ids,
  arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.requests)), found)) AS page_requests,
  arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.observed)), found)) AS page_observed,
  arrayStringConcat(
    arrayMap(page -> substring(hex(reinterpretAsFixedString(page.mark)), 1, 2 * intDiv(length(names) + 7, 8)), found)
  ) AS page_marks
FROM lists
ORDER BY hidden;
