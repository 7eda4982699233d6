import { expect, test } from 'vitest'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { FileAgents } from '#intake/import/file-agents.ts'

test('above the limit of agents per file, others share one, and still belong to their crawler', () => {
  const agents = new FileAgents(readBuiltInRegistry(), { agents: 50, characters: 10_000 })
  const stored = [...Array(400).keys()].map((index) => {
    const agent = agents.judge(`GPTBot/1.${index}`)
    if (agent === null) throw new Error('GPTBot is not a human')
    return agents.ofDay(agent, index)
  })
  expect(new Set(stored.map((agent) => agent.user_agent)).size).toBe(51)
  expect(agents.stored()).toHaveLength(51)
  expect(stored.at(-1)).toMatchObject({ user_agent: ':other GPTBot', crawler_id: 'gptbot' })
  const known = agents.judge('GPTBot/1.7')
  if (known === null) throw new Error('GPTBot is not a human')
  expect(agents.ofDay(known, 999).user_agent).toBe('GPTBot/1.7')
})

test('long agents count for more, so that they cannot fill the memory', () => {
  const agents = new FileAgents(readBuiltInRegistry(), { agents: 1_000, characters: 50_000 })
  for (let index = 0; index < 400; index += 1) {
    const agent = agents.judge(`GPTBot/1.${index} ${'x'.repeat(1_000)}`)
    if (agent === null) throw new Error('GPTBot is not a human')
    agents.ofDay(agent, 7)
  }
  expect(agents.stored()).toHaveLength(51)
  expect([...agents.crowded_days]).toEqual([7])
  expect(agents.judge(`GPTBot/1 ${'x'.repeat(100_000)}`)?.user_agent).toHaveLength(1_024)
})
