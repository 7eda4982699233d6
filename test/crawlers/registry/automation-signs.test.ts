import { describe, expect, test } from 'vitest'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'

const registry = readBuiltInRegistry()

describe('the signs of automation of an agent (rules 4)', () => {
  test.each([
    ['SomeBot/1.0', [['word', 'bot']]],
    ['python-requests/2.32', [['program', 'python-requests']]],
    ['Agent/1 (+https://agent.example/)', [['url', null]]],
    ['Agent/1 (me@agent.example)', [['email', null]]],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', []],
    ['', []],
  ])('%s', (agent, signs) => {
    expect(registry.signsOf(agent).map(({ sign, text }) => [sign, text])).toEqual(signs)
  })

  test('an agent has one exactly if it is automated and no entry names it', () => {
    const agents = [
      'SomeBot/1.0',
      'curl/8.5.0',
      'Mozilla/5.0 Firefox/132.0',
      'Mozilla/5.0 (Cubot X18)',
      'Wget/1.21',
      '-',
    ]
    for (const agent of agents) {
      if (registry.classify(agent) !== null) continue
      expect([agent, registry.signsOf(agent).length > 0]).toEqual([agent, registry.isAutomated(agent)])
    }
  })
})
