SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = 'CH';
SELECT toString(answers.engine) AS engine, toString(answers.day) AS on_day, toString(answers.state) AS state,
  toUInt64(ifNull(answers.country_applied, 1) = 1) AS is_of_country, toString(answers.web_search) AS web_search, count() AS answers
FROM spoor.counted_answers AS answers FINAL
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (mentions_version = {p2:UInt64})
  AND (answers.day BETWEEN {p3:Date} AND {p4:Date})
  AND (answers.country = {p5:String})
)
GROUP BY engine, on_day, state, is_of_country, web_search
ORDER BY engine, on_day, state, is_of_country, web_search;
