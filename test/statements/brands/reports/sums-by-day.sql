SET param_p0 = 'acme.example';
SET param_p1 = '.acme.example';
SET param_p2 = '00000000-0000-4000-8000-000000000061';
SET param_p3 = '00000000-0000-4000-8000-000000000062';
SET param_p4 = '3';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-03';
WITH
  counted AS (
    SELECT answers.day AS start, answers.question_id AS on_question, answers.engine AS by_engine,
      answers.surface AS by_surface, answers.model AS by_model, answers.country AS in_country,
      answers.own_position AS own_position, answers.own_sentiment AS own_sentiment,
      length(answers.tracked_ids) AS tracked, answers.citations_observed = 1 AS is_observed,
      length(answers.cited_domains) AS cited, arrayCount(
        domain -> (domain = {p0:String} OR endsWith(domain, {p1:String})),
        answers.cited_domains
      ) AS own_cited
    FROM spoor.counted_answers AS answers FINAL
    WHERE (
      (account_id = {p2:UUID} AND brand_id = {p3:UUID})
      AND (mentions_version = {p4:UInt64})
      AND (answers.day BETWEEN {p5:Date} AND {p6:Date})
      AND (answers.state = 'answered')
      AND (1)
    )
  ),
  summed AS (
    SELECT start, on_question, by_engine, by_surface, by_model, in_country,
      [toUInt32(count()), toUInt32(countIf(own_position > 0)), toUInt32(sum(tracked)), toUInt32(sum(own_position)),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'positive')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'neutral')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'negative')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'mixed')),
        toUInt32(countIf(own_position > 0 AND own_sentiment = 'unknown')),
        toUInt32(countIf(is_observed)), toUInt32(countIf(is_observed AND own_cited > 0)),
        toUInt32(sumIf(cited, is_observed)), toUInt32(sumIf(own_cited, is_observed)),
        toUInt32(countIf(tracked > 0 AND own_position = 0))] AS of_period
    FROM counted
    GROUP BY start, on_question, by_engine, by_surface, by_model, in_country
  )
SELECT toString(on_question) AS question_id, toString(by_engine) AS engine, toString(by_surface) AS surface,
  toString(by_model) AS model, toString(in_country) AS country, groupArray(toString(start)) AS periods,
  groupArray(of_period) AS parts
FROM summed
GROUP BY on_question, by_engine, by_surface, by_model, in_country
ORDER BY question_id, engine, surface, model, country;
