SELECT DISTINCT brand_id FROM (
  SELECT toString(search_rows.brand_id) AS brand_id FROM spoor.search_rows
  UNION ALL
  SELECT toString(search_ai_rows.brand_id) AS brand_id FROM spoor.search_ai_rows
)
ORDER BY brand_id;
