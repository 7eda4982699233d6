/**
 * GLOSSARY.md is the list in which newcomers look words up: each term once, in the order of the alphabet, with a
 * meaning.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('GLOSSARY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '))
const terms = rows.map(([term = '']) => term.toLowerCase())

test('the glossary has terms', () => {
  expect(rows.length).toBeGreaterThan(100)
})

test('each term occurs once', () => {
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
})

test('terms are in alphabetical order', () => {
  const after = (term: string, next: string | undefined) => next !== undefined && term > next
  expect(terms.filter((term, index) => after(term, terms[index + 1]))).toEqual([])
})

test('each term has a meaning', () => {
  const broken = rows.filter(
    (cells) => cells.length !== 2 || cells.some((cell) => cell.trim() === '' || cell !== cell.trim()),
  )
  expect(broken).toEqual([])
})
