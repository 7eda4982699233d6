import { expect, test } from 'vitest'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { FileAgents } from '#intake/import/agents.ts'

test('past the agents that a file may bring, further ones share one and stay their crawler’s', () => {
  const agents = new FileAgents(readBuiltInRegistry(), 50)
  const stored = [...Array(400).keys()].map((index) => {
    const agent = agents.judge(`GPTBot/1.${index}`)
    if (agent === null) throw new Error('GPTBot is no person')
    return agents.ofDay(agent, index)
  })
  expect(new Set(stored.map((agent) => agent.user_agent)).size).toBe(51)
  expect(agents.stored()).toHaveLength(51)
  expect(stored.at(-1)).toMatchObject({ user_agent: ':other GPTBot', crawler_id: 'gptbot' })
  const known = agents.judge('GPTBot/1.7')
  if (known === null) throw new Error('GPTBot is no person')
  expect(agents.ofDay(known, 999).user_agent).toBe('GPTBot/1.7')
})
