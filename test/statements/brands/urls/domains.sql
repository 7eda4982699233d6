SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = 'acme.example';
SET param_p5 = '.acme.example';
SET param_p6 = 'zenith.example';
SET param_p7 = '.zenith.example';
SET param_p8 = '00000000-0000-4000-8000-000000000061';
SET param_p9 = '00000000-0000-4000-8000-000000000062';
SET param_p10 = '2026-03-01';
SET param_p11 = '2026-03-03';
SET param_p12 = '50';
SET param_p13 = '0';
WITH
  observed AS (
    SELECT answers.answer_id AS answer_id, answers.revision AS revision, answers.question_id AS on_question,
      answers.engine AS by_engine, answers.asked_at AS at
    FROM spoor.answers FINAL
    WHERE (
      (account_id = {p0:UUID} AND brand_id = {p1:UUID})
      AND (answers.day BETWEEN {p2:Date} AND {p3:Date})
      AND (answers.state = 'answered')
      AND (answers.citations_observed = 1)
      AND (1)
    )
  ),
  cited AS (
    SELECT answer_id, revision, if(startsWith(domain, 'www.'), substring(toString(domain), 5), toString(domain)) AS place,
      if(startsWith(domain, 'www.'), substring(toString(domain), 5), toString(domain)) AS shown, multiIf(
        (domain = {p4:String} OR endsWith(domain, {p5:String})),
        'own',
        (domain = {p6:String} OR endsWith(domain, {p7:String})),
        'competitor',
        'other'
      ) AS of_source
    FROM spoor.answer_citations FINAL
    WHERE ((account_id = {p8:UUID} AND brand_id = {p9:UUID}) AND (day BETWEEN {p10:Date} AND {p11:Date}))
  )
SELECT place, min(shown) AS shown, toString(min(of_source)) AS source, uniqExact(answer_id) AS answers_citing,
  count() AS citations, arraySort(groupUniqArray(toString(by_engine))) AS engines,
  uniqExact(on_question) AS questions, toUInt64(toUnixTimestamp64Milli(min(at))) AS first_ms,
  toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms, count() OVER () AS total_rows
FROM cited
INNER JOIN observed USING (answer_id, revision)
GROUP BY place
ORDER BY answers_citing DESC, shown, place
LIMIT {p12:UInt64} OFFSET {p13:UInt64};
