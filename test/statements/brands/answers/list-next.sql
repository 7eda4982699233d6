SET param_p0 = '500';
SET param_p1 = '00000000-0000-4000-8000-000000000061';
SET param_p2 = '00000000-0000-4000-8000-000000000062';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '[\'chatgpt\',\'claude\']';
SET param_p6 = '[\'00000000-0000-4000-8000-000000000081\']';
SET param_p7 = 'answered';
SET param_p8 = '00000000-0000-4000-8000-000000000061';
SET param_p9 = '00000000-0000-4000-8000-000000000062';
SET param_p10 = '3';
SET param_p11 = '00000000-0000-4000-8000-000000000061';
SET param_p12 = '00000000-0000-4000-8000-000000000062';
SET param_p13 = 'acme.example';
SET param_p14 = '.acme.example';
SET param_p15 = '2026-03-03 12:00:00.000';
SET param_p16 = '2026-03-03 12:00:00.000';
SET param_p17 = '00000000-0000-4000-8000-000000000071';
SET param_p18 = '51';
SELECT toString(answers.answer_id) AS answer_id, answers.revision AS revision, toString(answers.question_id) AS question_id,
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
WHERE ((account_id = {p1:UUID} AND brand_id = {p2:UUID}) AND (answers.day BETWEEN {p3:Date} AND {p4:Date}) AND (answers.engine IN {p5:Array(String)}) AND (isNull(answers.country)) AND (answers.question_id IN {p6:Array(UUID)}) AND (answers.state = {p7:String}) AND (answers.state = 'answered') AND ((answers.answer_id, answers.revision) IN (
  SELECT answer_id, revision FROM spoor.answer_mentions
  WHERE account_id = {p8:UUID} AND brand_id = {p9:UUID} AND mentions_version = {p10:UInt64} AND is_own = 1)) AND (answers.citations_observed = 1) AND ((answers.answer_id, answers.revision) NOT IN (
    SELECT answer_id, revision FROM spoor.answer_citations
    WHERE account_id = {p11:UUID} AND brand_id = {p12:UUID} AND (
      domain = {p13:String}
      OR endsWith(domain, {p14:String})
    ))) AND (answers.asked_at < {p15:DateTime64(3, 'UTC')}
      OR (answers.asked_at = {p16:DateTime64(3, 'UTC')} AND answers.answer_id > {p17:UUID})))
ORDER BY answers.asked_at DESC, answers.answer_id
LIMIT {p18:UInt64};
