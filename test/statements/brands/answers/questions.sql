SELECT DISTINCT toString(account_id) AS account_id, toString(brand_id) AS brand_id, toString(question_id) AS question_id
FROM spoor.answers FINAL
ORDER BY account_id, brand_id, question_id;
