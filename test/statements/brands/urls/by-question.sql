SET param_p0 = 'acme.example';
SET param_p1 = '.acme.example';
SET param_p2 = 'zenith.example';
SET param_p3 = '.zenith.example';
SET param_p4 = '00000000-0000-4000-8000-000000000061';
SET param_p5 = '00000000-0000-4000-8000-000000000062';
SET param_p6 = '3';
SET param_p7 = '2026-03-01';
SET param_p8 = '2026-03-03';
SET param_p9 = '[\'acme.example/a\']';
WITH
  cited AS (
    SELECT answers.question_id AS on_question, answers.engine AS by_engine, answers.asked_at AS at, place, nth,
      cutFragment(url) AS shown, multiIf(
        (domain = {p0:String} OR endsWith(domain, {p1:String})),
        'own',
        (domain = {p2:String} OR endsWith(domain, {p3:String})),
        'competitor',
        'other'
      ) AS of_source
    FROM spoor.counted_answers AS answers FINAL
    ARRAY JOIN answers.cited_urls AS url, answers.cited_domains AS domain, answers.cited_opaque AS is_opaque,
      arrayMap(
        (url, domain) -> replaceRegexpOne(cutFragment(url), '^https?://(www[.])?', ''),
        answers.cited_urls,
        answers.cited_domains
      ) AS place,
      arrayEnumerateUniq(
        arrayMap(
          (url, domain) -> replaceRegexpOne(cutFragment(url), '^https?://(www[.])?', ''),
          answers.cited_urls,
          answers.cited_domains
        ),
        answers.cited_opaque
      ) AS nth
    WHERE (
      (
        (
          (account_id = {p4:UUID} AND brand_id = {p5:UUID})
          AND (mentions_version = {p6:UInt64})
          AND (answers.day BETWEEN {p7:Date} AND {p8:Date})
          AND (answers.state = 'answered')
          AND (answers.citations_observed = 1)
          AND (1)
        )
      )
      AND (is_opaque = 0)
    )
  )
SELECT place, toString(on_question) AS question_id, countIf(nth = 1) AS answers_citing, count() AS citations
FROM cited
WHERE (place IN {p9:Array(String)})
GROUP BY place, question_id
ORDER BY place, question_id;
