SET param_p0 = '[[],[0]]';
SET param_p1 = 'Array(Array(UInt16))';
SET param_p2 = '[\'example.com\']';
SET param_p3 = '[\'/pricing\']';
SET param_p4 = '[2]';
SET param_p5 = '[[],[1]]';
SET param_p6 = 'Array(Array(UInt16))';
SET param_p7 = '[\'signup\']';
SET param_p8 = '[2]';
SET param_p9 = '00000000-0000-4000-8000-000000000001';
SET param_p10 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p11 = '[11,12]';
WITH
  -- For each event of a session its page and the conversions that it met.
  session_hits AS (
    SELECT day, arrayMap(
      (viewed, other) -> viewed + other,
      pages,
      event_pages
    ) AS own_pages, arrayMap((page, name, later) -> arrayConcat(
      CAST({p0:String}, {p1:String})[
        transform(
          page,
          arrayMap((host, path) -> cityHash64(host, path), {p2:Array(String)}, {p3:Array(String)}),
          {p4:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p5:String}, {p6:String})[
        transform(toString(name), {p7:Array(String)}, {p8:Array(UInt64)}, toUInt64(1))
      ]
    ), pages, names, offsets) AS hits
    FROM spoor.sessions
    WHERE ((site_id = {p9:UUID}) AND (((day IN {p10:Array(Date)}) AND (build IN {p11:Array(UInt64)}))))
  ),
  -- Sessions with a conversion, and the pages on which one happened.
  converted_sessions AS (
    SELECT day, arrayDistinct(arrayFilter((page, met) -> page != 0 AND notEmpty(met), own_pages, hits)) AS on_pages
    FROM session_hits
    WHERE arrayExists(met -> notEmpty(met), hits)
  )
SELECT toString(day) AS day, if(page = 0, '', toString(page)) AS page_id, count() AS sessions
FROM (SELECT day, arrayJoin(arrayPushFront(on_pages, toUInt64(0))) AS page FROM converted_sessions)
GROUP BY day, page;
