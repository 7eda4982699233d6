SET param_p0 = '[\'00000000-0000-4000-8000-000000000070\']';
DELETE FROM spoor.search_ai_rows WHERE brand_id IN {p0:Array(UUID)};
