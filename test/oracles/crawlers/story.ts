/** A history while it is played: its clock, its events so far, and its chance. */
import { AGENTS, type AgentName, LIST } from './agents.ts'
import { type Event, type Minute, PURPOSES, type Visit, WINDOWS } from './events.ts'
import type { Chance } from './random.ts'
import { DAY, HOUR, minute } from './time.ts'

export const START = minute('2026-03-01T00:00:00Z')
export const HOSTS = ['example.com', 'www.example.com', 'shop.example.com']
const PATHS = ['/', '/pricing', '/pricing?from=ad', '/robots.txt', '/blog/a', '/u/jane@example.net/x']
const STATUSES = [200, 200, 200, 304, 301, 404, 503, 499, 600, null]
const NAMES = Object.keys(AGENTS).filter((name) => name !== 'human') as AgentName[]

export interface Story {
  chance: Chance
  now: Minute
  events: Event[]
  /** How many requests have got a name of their own. */
  requests: number
  /** Which of the hosts requests go to. */
  hosts: readonly string[]
}

export function goOn(story: Story, minutes: number): void {
  story.now += minutes
  story.events.push({ do: 'clock', to: story.now })
}

/** Hours, days, or just enough to come past midnight. */
export function letTimePass(story: Story): void {
  const { chance, now } = story
  const midnight = DAY - (now % DAY)
  goOn(
    story,
    chance.one([chance.whole(2 * HOUR, 12 * HOUR), chance.whole(14 * HOUR, 22 * HOUR), midnight + chance.whole(1, 90)]),
  )
}

export function ask({ chance, events }: Story): void {
  const purposes = chance.happens(0.4) ? null : PURPOSES.filter(() => chance.happens(0.6))
  events.push({
    do: 'ask',
    window: chance.one(WINDOWS),
    purposes: purposes?.length === 0 ? ['training'] : purposes,
    limit: chance.happens(0.5) ? null : chance.whole(1, 4),
  })
}

/** Requests of crawlers within [from, to], some of them alike. */
export function visits(story: Story, from: Minute, to: Minute, is_live: boolean): Visit[] {
  const { chance } = story
  return Array.from({ length: chance.whole(0, 8) }).flatMap(() => {
    const visit = visitAt(story, chance.whole(from, to), is_live)
    return Array.from({ length: chance.one([1, 1, 2, 3]) }, () => visit)
  })
}

export function visitAt(story: Story, at: Minute, is_live: boolean): Visit {
  const { chance, hosts } = story
  return {
    at,
    agent: chance.one(NAMES),
    host: chance.one(hosts),
    path: chance.one(PATHS),
    status: chance.one(STATUSES),
    ...(chance.happens(0.3) ? { address: chance.one([`${LIST.network}7`, '192.0.2.9', '10.1.2.3']) } : {}),
    ...(is_live && chance.happens(0.2) ? { verified: true } : {}),
    ...(is_live && chance.happens(0.3) ? { id: `request ${++story.requests}` } : {}),
  }
}
