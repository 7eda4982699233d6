/** How much one sender, one site and all together may deliver at the same time. */
import { describe, expect, test } from 'vitest'
import { IntakeRefusal } from '#intake/batches/batch-refusal.ts'
import { grow, LOAD_LIMITS, Load, type LoadLimits, type LoadTable, loadTable } from '#intake/batches/load-limits.ts'

const MIB = 1024 * 1024

function open(limits: Partial<LoadLimits> = { wait_ms: 0 }) {
  const table = loadTable({ ...LOAD_LIMITS, ...limits })
  const load = new Load(table)
  return { table, admit: (token_id: string, site_id: string) => load.admit({ token_id, site_id }) }
}

/** How many batches are admitted until one is refused. */
async function fill(admit: () => unknown): Promise<number> {
  for (let admitted = 0; ; admitted++) {
    try {
      await admit()
    } catch (error) {
      expect(error).toBeInstanceOf(IntakeRefusal)
      expect(error).toMatchObject({ kind: 'busy' })
      return admitted
    }
  }
}

describe('slots', () => {
  test('two tokens of one site leave a quarter of the slots to the other sites', async () => {
    const { admit } = open()
    expect(await fill(() => admit('a1', 'a'))).toBe(LOAD_LIMITS.batches_of_token)
    expect(await fill(() => admit('a2', 'a'))).toBe(24 - LOAD_LIMITS.batches_of_token)
    expect(await fill(() => admit('b1', 'b'))).toBe(4)
    expect(await fill(() => admit('c1', 'c'))).toBe(4)
    expect(await fill(() => admit('d1', 'd'))).toBe(0)
  })

  test('two tokens of two sites leave them too', async () => {
    const { admit } = open()
    for (let batch = 0; batch < 12; batch++) {
      await admit('a1', 'a')
      await admit('b1', 'b')
    }
    expect([await fill(() => admit('a1', 'a')), await fill(() => admit('b1', 'b'))]).toEqual([0, 0])
    expect(await fill(() => admit('c1', 'c'))).toBe(4)
  })

  test('a released slot is free for the same site again', async () => {
    const { admit } = open()
    const shares = await Promise.all(Array.from({ length: 24 }, (_, at) => admit(`a${at}`, 'a')))
    expect(await fill(() => admit('x', 'a'))).toBe(0)
    shares[3]?.release()
    shares[3]?.release()
    expect(await fill(() => admit('x', 'a'))).toBe(1)
  })
})

describe('waiting', () => {
  // Batches that still wait at the end of a test are refused later, and nothing waits for that.
  const three = { batches: 3, batches_of_token: 3, wait_ms: 60_000 }

  test('a batch that finds no slot gets the next one that becomes free, in order', async () => {
    const { admit } = open(three)
    const held = [await admit('a1', 'a'), await admit('a1', 'a'), await admit('b1', 'b')]
    const order: string[] = []
    const waiting = ['c', 'd'].map(async (site) => {
      const share = await admit(`${site}1`, site)
      order.push(site)
      return share
    })
    held[0]?.release()
    const share = await waiting[0]
    expect(order).toEqual(['c'])
    share?.release()
    await waiting[1]
    expect(order).toEqual(['c', 'd'])
  })

  test('one that may not have the free slot lets others pass', async () => {
    const { admit } = open({ ...three, batches_of_token: 2 })
    const held = [await admit('a1', 'a'), await admit('a1', 'a'), await admit('b1', 'b')]
    let has_place = false
    const own = admit('a1', 'a').then((share) => {
      has_place = true
      return share
    })
    const other = admit('c1', 'c')
    held[2]?.release()
    const { release } = await other
    expect(has_place).toBe(false)
    held[0]?.release()
    await own
    release()
  })

  test('as many may wait as there are slots, with the same limits for each token and site', async () => {
    const { admit } = open({ ...three, batches_of_token: 2 })
    for (const site of ['a', 'b', 'c']) await admit(`${site}1`, site)
    for (const token of ['d1', 'd1', 'e1']) admit(token, token).catch(() => {})
    await expect(admit('f1', 'f')).rejects.toMatchObject({ kind: 'busy' })
    const other = open({ ...three, batches_of_token: 1 })
    for (const site of ['a', 'b', 'c']) await other.admit(`${site}1`, site)
    other.admit('d1', 'd').catch(() => {})
    await expect(other.admit('d1', 'd')).rejects.toMatchObject({ kind: 'busy' })
  })

  test('a batch is refused if no slot becomes free in time', async () => {
    const { admit } = open({ ...three, wait_ms: 20 })
    const [first] = [await admit('a1', 'a'), await admit('b1', 'b'), await admit('c1', 'c')]
    await expect(admit('d1', 'd')).rejects.toMatchObject({ kind: 'busy' })
    first.release()
    await admit('e1', 'e')
  })
})

describe('decoded bytes', () => {
  const growBy = (table: LoadTable, slot: number) => () => grow(table, slot, MIB)

  test('of one site end at three quarters; another site still gets an eighth', async () => {
    const { table, admit } = open()
    const [a, b] = [await admit('a1', 'a'), await admit('b1', 'b')]
    expect(await fill(growBy(table, a.slot))).toBe(144)
    expect(await fill(growBy(table, b.slot))).toBe(24)
    a.release()
    expect(await fill(growBy(table, (await admit('a1', 'a')).slot))).toBe(120)
  })

  test('a batch that is alone may always go on', async () => {
    const { table, admit } = open()
    const { slot } = await admit('a1', 'a')
    grow(table, slot, 500 * MIB)
    expect(await fill(() => admit('b1', 'b'))).toBe(0)
  })
})
