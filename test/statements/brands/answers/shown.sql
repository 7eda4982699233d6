SET param_p0 = '500';
SET param_p1 = '00000000-0000-4000-8000-000000000061';
SET param_p2 = '00000000-0000-4000-8000-000000000062';
SET param_p3 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id, answers.revision AS revision,
  toString(answers.question_id) AS question_id,
  toString(answers.engine) AS engine, toString(answers.surface) AS surface, toString(answers.provider) AS provider,
  toString(answers.model) AS model, toString(answers.language) AS language, toString(answers.persona) AS persona,
  toUInt64(answers.run) AS run, toUInt64(toUnixTimestamp64Milli(answers.asked_at)) AS asked_ms,
  toString(answers.asked_at_precision) AS asked_at_precision, toUInt64(answers.country_applied) AS country_applied,
  toString(answers.state) AS state, toString(answers.failure_code) AS failure_code,
  answers.failure_message AS failure_message, toString(answers.web_search) AS web_search,
  substringUTF8(answers.text, 1, {p0:UInt64}) AS shown,
  toUInt64(answers.text_truncated = 1 OR ifNull(lengthUTF8(answers.text) > lengthUTF8(shown), 0)) AS is_cut,
  answers.search_queries AS search_queries, toUInt64(answers.citations_observed) AS citations_observed,
  answers.retrieved AS retrieved, answers.reported_mentions AS reported_mentions,
  answers.cost_micros AS cost_micros, toString(answers.cost_currency) AS cost_currency,
  toString(answers.cost_basis) AS cost_basis, toString(answers.source_tool) AS source_tool,
  answers.external_id AS external_id
FROM spoor.answers FINAL
WHERE (
  (account_id = {p1:UUID} AND brand_id = {p2:UUID})
  AND ((answers.day, answers.answer_id) IN {p3:Array(Tuple(Date, UUID))})
)
ORDER BY answers.asked_at DESC, toUInt128(answers.answer_id);
