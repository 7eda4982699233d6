/** How much one sender, one site and all together may deliver at the same time. */
import { describe, expect, test } from 'vitest'
import { IntakeRefusal } from '#intake/batches/batch-refusal.ts'
import { grow, LOAD_LIMITS, Load, type LoadTable, loadTable } from '#intake/batches/load-limits.ts'

const MIB = 1024 * 1024

function open() {
  const table = loadTable()
  const load = new Load(table)
  return { table, admit: (token_id: string, site_id: string) => load.admit({ token_id, site_id }) }
}

/** How many batches are admitted until one is refused. */
function fill(admit: () => unknown): number {
  for (let admitted = 0; ; admitted++) {
    try {
      admit()
    } catch (error) {
      expect(error).toBeInstanceOf(IntakeRefusal)
      expect(error).toMatchObject({ kind: 'busy' })
      return admitted
    }
  }
}

describe('places', () => {
  test('two tokens of one site leave a quarter of the slots to the other sites', () => {
    const { admit } = open()
    expect(fill(() => admit('a1', 'a'))).toBe(LOAD_LIMITS.batches_of_token)
    expect(fill(() => admit('a2', 'a'))).toBe(24 - LOAD_LIMITS.batches_of_token)
    expect(fill(() => admit('b1', 'b'))).toBe(4)
    expect(fill(() => admit('c1', 'c'))).toBe(4)
    expect(fill(() => admit('d1', 'd'))).toBe(0)
  })

  test('two tokens of two sites leave them too', () => {
    const { admit } = open()
    for (let batch = 0; batch < 12; batch++) {
      admit('a1', 'a')
      admit('b1', 'b')
    }
    expect([fill(() => admit('a1', 'a')), fill(() => admit('b1', 'b'))]).toEqual([0, 0])
    expect(fill(() => admit('c1', 'c'))).toBe(4)
  })

  test('a released slot is free for the same site again', () => {
    const { admit } = open()
    const shares = Array.from({ length: 24 }, (_, at) => admit(`a${at}`, 'a'))
    expect(fill(() => admit('x', 'a'))).toBe(0)
    shares[3]?.release()
    shares[3]?.release()
    expect(fill(() => admit('x', 'a'))).toBe(1)
  })
})

describe('decoded bytes', () => {
  const growBy = (table: LoadTable, place: number) => () => grow(table, place, MIB)

  test('of one site end at three quarters; another site still gets an eighth', () => {
    const { table, admit } = open()
    const [a, b] = [admit('a1', 'a'), admit('b1', 'b')]
    expect(fill(growBy(table, a.place))).toBe(144)
    expect(fill(growBy(table, b.place))).toBe(24)
    a.release()
    expect(fill(growBy(table, admit('a1', 'a').place))).toBe(120)
  })

  test('a batch that is alone may always go on', () => {
    const { table, admit } = open()
    const { place } = admit('a1', 'a')
    grow(table, place, 500 * MIB)
    expect(fill(() => admit('b1', 'b'))).toBe(0)
  })
})
