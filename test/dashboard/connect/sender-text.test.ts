import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../dashboard/connect/sender-text.ts'
import { loadSender, OWN_SENDER, SENDER_OPTIONS, senderName } from '../../../dashboard/connect/senders.ts'

const FILLING = { address: 'https://spoor.test:8443', token: 'spoor_src_secret', root_domain: 'shop.test' }

test('paragraphs, code and tables become blocks without the signs of Markdown', () => {
  const text =
    '# Title\n\nOne `two`\n[three](a.md).\n\n```sh\nrun\n```\n\n| | |\n| --- | --- |\n| a | **b** |\n\nNot tried, because x.\n'
  expect(blocksOf(text, FILLING)).toEqual([
    { kind: 'text', text: 'One two three.' },
    { kind: 'code', text: 'run' },
    {
      kind: 'rows',
      rows: [
        ['', ''],
        ['a', 'b'],
      ].slice(1),
    },
  ])
})

test('address, token and domain are filled in wherever a document names them', async () => {
  for (const { key } of SENDER_OPTIONS.filter((one) => one.key !== OWN_SENDER)) {
    const text = JSON.stringify(blocksOf(await loadSender(key), FILLING))
    expect(text, key).not.toMatch(/example\.com|spoor_src_…/)
    expect(text, key).toContain('spoor.test')
    expect(text, `${key}: how it was tried`).not.toMatch(/\b[Tt]ried[:,]/)
  }
})

test('every document about a sender is offered, under the name that it delivers with', () => {
  const files = readdirSync('docs/senders').filter((name) => name !== 'README.md')
  const offered = SENDER_OPTIONS.map(({ key }) => `${key}.md`).filter((name) => name !== `${OWN_SENDER}.md`)
  expect(offered.toSorted()).toEqual(files.toSorted())
  for (const file of files) {
    const name = senderName(file.replace('.md', ''))
    if (name !== null) expect(readFileSync(`docs/senders/${file}`, 'utf8').toLowerCase()).toMatch(`x-spoor-sender`)
  }
})
