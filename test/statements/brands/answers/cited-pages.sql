SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
SELECT toString(answer_citations.answer_id) AS answer_id, revision, url,
  toString(answer_citations.domain) AS domain, toString(answer_citations.resolved) AS resolved
FROM spoor.answer_citations FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND (
  answer_citations.day,
  answer_citations.answer_id
) IN {p2:Array(Tuple(Date, UUID))}
ORDER BY answer_id, revision, position;
