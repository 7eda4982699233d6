SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = 'acme.example';
SET param_p6 = '.acme.example';
SET param_p7 = '00000000-0000-4000-8000-000000000061';
SET param_p8 = '00000000-0000-4000-8000-000000000062';
SET param_p9 = '2026-03-01';
SET param_p10 = '2026-03-03';
SET param_p11 = '2026-03-01';
SET param_p12 = '00000000-0000-4000-8000-000000000061';
SET param_p13 = '00000000-0000-4000-8000-000000000062';
SET param_p14 = '2026-03-01';
SET param_p15 = '2026-03-03';
WITH
  -- Of each answer: the tracked brands that it names.
  named AS (
    SELECT answer_id, revision, count() AS tracked, sumIf(position, is_own = 1) AS own_position,
      anyIf(sentiment, is_own = 1) AS own_sentiment, max(is_own) AS names_own
    FROM spoor.answer_mentions FINAL
    WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND mentions_version = {p2:UInt64} AND day BETWEEN {p3:Date} AND {p4:Date}
    GROUP BY answer_id, revision
  ),
  -- Of each answer: the pages that it cites.
  cited AS (
    SELECT answer_id, revision, count() AS citations, countIf(
      (domain = {p5:String} OR endsWith(domain, {p6:String}))
    ) AS own
    FROM spoor.answer_citations FINAL
    WHERE account_id = {p7:UUID} AND brand_id = {p8:UUID} AND day BETWEEN {p9:Date} AND {p10:Date}
    GROUP BY answer_id, revision
  ),
  counted AS (
    SELECT answers.answer_id AS answer_id, answers.revision AS revision,
      toString(greatest(toMonday(answers.day), {p11:Date})) AS period, answers.question_id AS on_question,
      answers.engine AS by_engine, answers.surface AS by_surface, answers.model AS by_model,
      answers.country AS in_country, answers.citations_observed = 1 AS is_observed
    FROM spoor.answers FINAL
    WHERE (
      (account_id = {p12:UUID} AND brand_id = {p13:UUID})
      AND (answers.day BETWEEN {p14:Date} AND {p15:Date})
      AND (answers.state = 'answered')
      AND (1)
    )
  )
SELECT period, toString(on_question) AS question_id, toString(by_engine) AS engine, toString(by_surface) AS surface,
  toString(by_model) AS model, toString(in_country) AS country,
  count() AS answered, countIf(names_own = 1) AS naming, toUInt64(ifNull(sum(tracked), 0)) AS tracked_mentions,
  toUInt64(ifNull(sum(own_position), 0)) AS position_sum,
  countIf(names_own = 1 AND own_sentiment = 'positive') AS positive,
  countIf(names_own = 1 AND own_sentiment = 'neutral') AS neutral,
  countIf(names_own = 1 AND own_sentiment = 'negative') AS negative,
  countIf(names_own = 1 AND own_sentiment = 'mixed') AS mixed,
  countIf(names_own = 1 AND own_sentiment = 'unknown') AS unknown,
  countIf(is_observed) AS observed, countIf(is_observed AND own > 0) AS citing,
  toUInt64(ifNull(sumIf(citations, is_observed), 0)) AS citations,
  toUInt64(ifNull(sumIf(own, is_observed), 0)) AS own_citations,
  countIf(tracked > 0 AND names_own = 0) AS missed
FROM counted
LEFT JOIN named USING (answer_id, revision)
LEFT JOIN cited USING (answer_id, revision)
GROUP BY period, question_id, engine, surface, model, country
ORDER BY period, question_id, engine, surface, model, country;
