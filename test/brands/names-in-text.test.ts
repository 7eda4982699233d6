import { expect, test } from 'vitest'
import { isNamedIn } from '#brands/names-in-text.ts'

test.each<[string, string[], boolean]>([
  ['Is Acme good?', ['Acme'], true],
  ['is ACME good?', ['acme'], true],
  ['acme', ['Acme'], true],
  ['Is Acmeist good?', ['Acme'], false],
  ['A macacme', ['Acme'], false],
  ['acme2 or acme_x', ['Acme'], false],
  ['Is Acme’s support or "Acme"-like better?', ['Acme'], true],
  ['Acmeist, but also acme.', ['Acme'], true],
  ['ＡＣＭＥ in wide letters', ['Acme'], true],
  ['Is Straße better?', ['STRASSE'], true],
  ['Ist Müller gut?', ['Mu\u0308ller'], true],
  ['Ist Mülleré gut?', ['Müller'], false],
  ['𝒜cme', ['Acme'], true],
  ['日本の三菱電機は良いですか', ['三菱電機'], true],
  ['C++ or C#?', ['C#'], true],
  ['nothing', [''], false],
  ['Exemplar or Acme', ['Other', 'Exemplar'], true],
])('%s: %j is named: %s', (text, names, expected) => {
  expect(isNamedIn(text, names)).toBe(expected)
})
