import { expect, test } from 'vitest'
import { ReceiptBlock } from '../../../dashboard/connect/receipt.tsx'
import type { Receipt } from '../../../dashboard/read/upload.ts'
import { LINE_CLASSES, lineCounts, receiptSentence } from '../../../dashboard/words/receipts.ts'
import { render, textOf } from '../render.tsx'

const RECEIPT: Receipt = {
  files: 1,
  bytes: 57_012,
  lines: 4_141,
  malformed: 8,
  malformed_samples: [{ line_number: 17, reason: 'unknown_layout', excerpt: 'no log\u202e line' }],
  other_site: 20,
  human: 3_000,
  human_without_agent: 0,
  automated_unlabelled: 42,
  automated_not_counted: 0,
  duplicates: 71,
  ignored: { server_internal: 3, sub_request: 0, own_inspection: 2, expired: 1 },
  stored: 1_036,
  by_crawler: { gptbot: 700, claudebot: 294 },
  without_host: 0,
  from: '2026-11-16T00:00:01Z',
  to: '2026-11-21T08:00:00Z',
  hosts: { 'www.example.com': 4_113 },
  seconds: 0.8,
  warnings: [{ code: 'double_log', message: 'A fifth of the lines seem to be logged twice.' }],
}

test('the classes of the bar add up to the lines', () => {
  const lines = lineCounts(RECEIPT)
  expect(LINE_CLASSES.reduce((sum, one) => sum + lines[one], 0)).toBe(RECEIPT.lines)
})

test('the sentence names every class that occurred, and no other', () => {
  expect(receiptSentence(RECEIPT)).toBe(
    'Imported 4,141 lines: 1,036 stored, 3,000 human requests counted and dropped, 71 already stored, 20 of other sites, 6 ignored, 8 not readable.',
  )
  const plain = { ...RECEIPT, lines: 4_036, malformed: 0, other_site: 0, duplicates: 0, ignored: {} }
  expect(receiptSentence(plain)).toBe('Imported 4,036 lines: 1,036 stored, 3,000 human requests counted and dropped.')
})

test('counts, hosts, warnings and samples are shown, hidden characters of strangers made visible', async () => {
  const text = textOf(await render(<ReceiptBlock receipt={RECEIPT} />))
  expect(text).toContain('57.0 KB in 1 s')
  expect(text).toContain('16 Nov 2026 00:00 – 21 Nov 2026 08:00 UTC')
  expect(text).toContain('gptbot 700, claudebot 294')
  expect(text).toContain('A fifth of the lines seem to be logged twice.')
  expect(text).toContain('1 of 8 lines that could not be read')
  expect(text).toContain('no log␣ line')
})

test('the hosts outside the site are named right after the import, and kept receipts do not know them', async () => {
  const fresh = { ...RECEIPT, other_hosts: { 'shop.example.org': 19, 'example.net': 1 } }
  expect(textOf(await render(<ReceiptBlock receipt={fresh} />))).toContain(
    'Other hosts shop.example.org 19, example.net 1',
  )
  expect(textOf(await render(<ReceiptBlock receipt={RECEIPT} />))).not.toContain('Other hosts')
})

test('a log without any crawler says so', async () => {
  const none = { ...RECEIPT, by_crawler: {}, from: null, to: null, hosts: {} }
  expect(textOf(await render(<ReceiptBlock receipt={none} />))).toContain('None that the registry knows.')
})
