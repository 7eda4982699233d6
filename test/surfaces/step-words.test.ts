import { expect, test } from 'vitest'
import { Refusal } from '#refusal.ts'
import { wordAll, wordsOf, wordsOfCollection } from '#surfaces/step-words.ts'

test('a step is worded at its place, with what it needs', () => {
  const refusal = new Refusal('conflict', 'Take it back first: {next}', {
    next: { step: 'source.reconnect', source_id: 'abc' },
  })
  expect(wordsOf(refusal)).toBe('Take it back first: spoor source reconnect abc')
})

test('foreign text is never read as the placeholder of a step', () => {
  const message = 'No site has the id or domain "{next}": {next} shows all of them.'
  expect(wordsOf({ message, next: { step: 'site.list' } })).toBe(
    'No site has the id or domain "{next}": spoor site list shows all of them.',
  )
  expect(wordsOf({ message: 'The key "{next}" is unknown.' })).toBe('The key "{next}" is unknown.')
})

test('a sentence without a place for its step is a bug', () => {
  expect(() => wordsOf({ message: 'Nothing here.', next: { step: 'restore' } })).toThrow(
    /no placeholder for the step restore/,
  )
})

test('sentences of an answer lose their step, and each surface has its own words', () => {
  const warning = { code: 'off', message: 'Switch it on ({next}).', next: { step: 'tracker.enable' } as const }
  expect(wordAll([warning])).toEqual([{ code: 'off', message: 'Switch it on (spoor tracker enable SITE).' }])
  expect(wordAll([warning], wordsOfCollection)).toEqual([
    { code: 'off', message: 'Switch it on (spoor tracker enable).' },
  ])
})
