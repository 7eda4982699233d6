/** Places of unfinished bodies: each sender's own and those of all, also after many senders came and went. */
import { expect, test } from 'vitest'
import { openBodyPlaces } from '#surfaces/http/body-places.ts'

test('a slot that is released, even twice, can be taken once', () => {
  const places = openBodyPlaces({ total: 2, of_sender: 1 })
  const release = places.take('a')
  expect(release).not.toBeNull()
  expect(places.take('a')).toBeNull()
  release?.()
  release?.()
  expect(places.take('a')).not.toBeNull()
  expect(places.take('b')).not.toBeNull()
  expect(places.take('c')).toBeNull()
})

test('senders with a slot keep it while thousands of others are dropped', () => {
  const places = openBodyPlaces({ total: 2, of_sender: 1 })
  const release = places.take('a')
  for (let other = 0; other < 25_000; other++) places.take(`other ${other}`)?.()
  expect(places.take('a')).toBeNull()
  expect(places.take('b')).not.toBeNull()
  release?.()
  expect(places.take('a')).not.toBeNull()
})

test('a lent place goes to another body where none is free, the longest held first', () => {
  const places = openBodyPlaces({ total: 3, of_sender: 2 })
  const gave_up: string[] = []
  const slow = (sender: string) => {
    const release = places.take(sender) as () => void
    places.lend(release, () => {
      gave_up.push(sender)
      release()
    })
    return release
  }
  slow('a')
  const ended = slow('b')
  slow('c')
  ended()
  const whole = places.take('d')
  expect(gave_up).toEqual([])
  expect([places.take('e'), places.take('f')]).not.toContain(null)
  expect(gave_up).toEqual(['a', 'c'])
  expect(places.take('g')).toBeNull()
  whole?.()
  expect(places.take('g')).not.toBeNull()
})
