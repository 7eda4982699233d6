SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '00000000-0000-4000-8000-000000000061';
SET param_p5 = '00000000-0000-4000-8000-000000000062';
SET param_p6 = '2026-03-01';
SET param_p7 = '2026-03-03';
WITH
  cited AS (
    SELECT answer_id, revision, count() AS citations, countIf(resolved = 'redirect_opaque') AS opaque
    FROM spoor.answer_citations FINAL
    WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND day BETWEEN {p2:Date} AND {p3:Date}
    GROUP BY answer_id, revision
  )
SELECT toString(answers.question_id) AS question_id, count() AS observed,
  toUInt64(ifNull(sum(cited.citations), 0)) AS citations, toUInt64(ifNull(sum(cited.opaque), 0)) AS opaque
FROM spoor.answers FINAL
LEFT JOIN cited ON cited.answer_id = answers.answer_id AND cited.revision = answers.revision
WHERE (
  (account_id = {p4:UUID} AND brand_id = {p5:UUID})
  AND (answers.day BETWEEN {p6:Date} AND {p7:Date})
  AND (answers.state = 'answered')
  AND (answers.citations_observed = 1)
  AND (1)
)
GROUP BY question_id
ORDER BY question_id;
