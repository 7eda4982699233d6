/** References in comments, tests and documents resolve, and one that does not is named with its place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findFaults, findUnpublishedLinks } from '../../scripts/check-references.ts'
import { PUBLISHED_AS_IS } from '../../scripts/published-files.ts'

/** A repository of a specification, a decision and the given files. */
function repository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'spoor-references-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const all = {
    'docs/specification/spec-2-meta.md': '# spec 2 Resources\n\n## spec 2.2 Zero and unknown\n\n## spec 2.3 Source\n',
    'docs/specification/rules-3-coverage.md': '# rules 3 Coverage\n',
    'docs/specification/account-api-1-requests.md': '# account API 1 Requests\n',
    'docs/decisions/0018-collection.md': '# 18. A spool\n',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const faultsOf = (file: string, text: string) =>
  findFaults(repository({ [file]: text })).map(({ file, line, reference }) => `${file}:${line} ${reference}`)

test('the references of this repository resolve', () => {
  expect(findFaults('.').map(({ file, line, reference }) => `${file}:${line} ${reference}`)).toEqual([])
})

test('documents of the npm package link only to files in it', () => {
  expect(findUnpublishedLinks('.', PUBLISHED_AS_IS)).toEqual([])
})

test('a link of a published document to one that is not published is a fault', () => {
  const root = repository({
    'docs/a.md': '[b](b.md) [c](../other/c.md)\n[d](decisions) [e](#a) [f](https://example.com/x.md)\n',
    'docs/b.md': '[readme](../README.md)\n',
    'other/c.md': '[d](../missing.md)\n',
    'README.md': '[d](missing.md)\n',
    'packaging/npm/README.md': '[a](docs/a.md)\n[d](../../other/c.md)\n',
  })
  const found = findUnpublishedLinks(root, ['docs/**/*.md'])
  expect(found.map(({ file, line, reference }) => `${file}:${line} ${reference}`)).toEqual([
    'packaging/npm/README.md:2 ../../other/c.md',
    'docs/a.md:1 ../other/c.md',
  ])
  expect(found[1]?.advice).toMatch(/^leads to other\/c\.md, which is not in the npm package/)
})

test.each([
  'spec 2.2, rules 3',
  'spec 2.2 to 2.3',
  '(spec 2.2, 2.3)',
  'account API 1',
  'ADR 18',
  'decision 0018',
  'see docs/decisions/0018 and docs/specification/spec-2-meta.md',
  'rules 3, 20 of them in a row',
])('%s resolves', (text) => {
  expect(faultsOf('src/a.ts', `// ${text}\n`)).toEqual([])
})

test.each([
  ['spec 2.9', 'spec 2.9'],
  ['rules 3, 9', 'rules 9'],
  ['rules 3 and 9.', 'rules 9'],
  ['spec 2.2 to 2.4', 'spec 2.4'],
  ['account API 7', 'account API 7'],
  ['ADR 19', 'ADR 19'],
  ['decision 0019', 'decision 0019'],
  ['see docs/decisions/0019-other.md', 'docs/decisions/0019'],
  ['see rules.md', 'rules.md'],
])('%s does not', (text, reference) => {
  expect(faultsOf('src/a.ts', `const a = 1\n// (${text})\n`)).toContain(`src/a.ts:2 ${reference}`)
})

test('the links of a document and their anchors are checked', () => {
  const text =
    '# A page\n[a](#a-page) [b](B.md) [c](docs/decisions/0018-collection.md#18-a-spool) [d](#c) [e](https://example.com/x.md)\n'
  expect(faultsOf('A.md', text)).toEqual(['A.md:2 B.md', 'A.md:2 #c'])
})

test('a heading that two pages have is a fault, because a reference to it names neither', () => {
  const root = repository({ 'docs/specification/rules-4-other.md': '# rules 3 Other\n' })
  expect(findFaults(root)).toEqual([
    expect.objectContaining({ reference: 'rules 3', advice: expect.stringContaining('rules-4-other.md') }),
  ])
})

test('a fault says what to do', () => {
  const [fault] = findFaults(repository({ 'src/a.ts': '// spec 9\n' }))
  expect(fault).toEqual({
    file: 'src/a.ts',
    line: 1,
    reference: 'spec 9',
    advice: 'is not a heading of docs/specification. Name one that is there (its README.md lists them), or add it.',
  })
})
