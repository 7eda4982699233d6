import { expect, test } from 'vitest'
import { type Result, resultTable } from '../../../bench/abuse/results.ts'

const result: Result = {
  name: 'a',
  does: 'does a',
  holds: 'holds',
  rounds: 2,
  seconds: 40,
  counted: ['1 × away', '2 × away'],
  broken: null,
  cannot_run: null,
}

test('the table has a row for each scenario that was reached, and the last line says how many held and which did not', () => {
  const broken = { ...result, name: 'b', rounds: 0, counted: [], broken: 'seed 1: it fell over' }
  const not_run = { ...result, name: 'c', rounds: 0, counted: [], cannot_run: 'no disk' }
  expect(resultTable([result, broken, not_run], 5).split('\n')).toEqual([
    '| scenario | what is done | outcome |',
    '| --- | --- | --- |',
    '| `a` | does a | held (2 rounds, 40 s): 2 × away |',
    '| `b` | does a | **did not hold** (after 0 rounds): seed 1: it fell over |',
    '| `c` | does a | not run: no disk |',
    '',
    'Of 5 scenarios 1 held, 1 did not hold (b), 1 cannot run here (c), and 2 were not reached.',
  ])
})
