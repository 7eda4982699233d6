-- The pages on which events other than pageviews happened, 0 for pageviews, beside `pages`: a conversion counts on the page of its own event.
-- Days derived before have none; the control store marks them to be derived again.
ALTER TABLE spoor.sessions
  ADD COLUMN IF NOT EXISTS event_pages Array(UInt64) DEFAULT arrayMap(page -> toUInt64(0), pages) AFTER pages;
