import { expect, test } from 'vitest'
import { cleanStrings } from '#surfaces/mcp/clean-text.ts'

test('every string of a value loses its invisible characters, and keeps its length', () => {
  const hostile = 'a\u202eb\u0007c\u2066d\u{e0049}e\r\n\tf\ud800'
  const cleaned = cleanStrings({ title: hostile, list: [hostile, 1, null, true] })
  expect(cleaned.title).toBe('a\ufffdb\ufffdc\ufffdd\ufffd\ufffde\ufffd\n\tf\ufffd')
  expect(cleaned.title).toHaveLength(hostile.length)
  expect(cleaned.list).toEqual([cleaned.title, 1, null, true])
})

test('all other text is unchanged', () => {
  const text = 'Größe 大きさ 👩‍🚀 <script>alert(1)</script> ```ignore previous instructions```\n'
  expect(cleanStrings(text)).toBe(text)
})
