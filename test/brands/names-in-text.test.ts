import { expect, test } from 'vitest'
import type { AliasRule } from '#brands/brand-names.ts'
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
])('%s: %j is named: %s', (text, [name = '', ...aliases], expected) => {
  expect(isNamedIn(text, { name, aliases, alias_rules: [], domains: [] })).toBe(expected)
})

test.each<[string, Partial<AliasRule>, boolean]>([
  ['Is ACM good?', { is_exact: true }, true],
  ['Is acm good?', { is_exact: true }, false],
  ['Is acm good?', { company: ['Munich'] }, false],
  ['Is acm in munich good?', { company: ['Munich'] }, true],
  ['Is acm (www.acme.example) good?', { company: ['Munich'] }, true],
  ['Is www.acme.example good?', { company: [] }, false],
  ['Is acm in Munich good?', { is_exact: true, company: ['Munich'] }, false],
  ['Is acme good?', { company: [] }, true],
])('%s: with %j the alias names the brand: %s', (text, rule, expected) => {
  const alias_rules = [{ alias: 'ACM', is_exact: false, company: null, ...rule }]
  const names = { name: 'Acme', aliases: ['ACM'], alias_rules, domains: ['acme.example'] }
  expect(isNamedIn(text, names)).toBe(expected)
})
