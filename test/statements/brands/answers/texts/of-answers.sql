SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
SET param_p3 = '1';
SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id, revision,
  if(answers.state = 'answered', answers.text, NULL) AS text, cited_spans,
  toString(answers.question_id) AS question_id, toString(answers.engine) AS engine,
  toString(answers.surface) AS surface, toString(answers.model) AS model,
  toString(answers.asked_at) AS asked_at, toString(answers.country) AS country,
  toUInt64(answers.country_applied) AS country_applied, toString(answers.state) AS state,
  toString(answers.web_search) AS web_search, toUInt64(answers.citations_observed) AS citations_observed
FROM spoor.answers FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND (answers.day, answers.answer_id) IN {p2:Array(Tuple(Date, UUID))}
ORDER BY answers.day, answers.answer_id
LIMIT {p3:UInt64};
