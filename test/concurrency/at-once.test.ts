import { expect, test } from 'vitest'
import { AtOnce } from '#concurrency/at-once.ts'

test('no more than so many pieces run at a time, in their order, and a failure gives its place on', async () => {
  const begun: number[] = []
  const ends: PromiseWithResolvers<number>[] = []
  const places = new AtOnce(2)
  const pieces = Array.from({ length: 5 }, (_, piece) =>
    places.run(() => {
      begun.push(piece)
      const end = Promise.withResolvers<number>()
      ends[piece] = end
      return end.promise
    }),
  )
  const outcomes = Promise.allSettled(pieces)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  await turn()
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await turn()
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.resolve(0)
  ends[2]?.resolve(2)
  await turn()
  expect(begun).toEqual([0, 1, 2, 3, 4])
  ends[3]?.resolve(3)
  ends[4]?.resolve(4)
  expect((await outcomes).map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true])
  await expect(places.run(async () => 'again')).resolves.toBe('again')
})
