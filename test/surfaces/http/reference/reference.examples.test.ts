import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { operations } from '#contract/site-api/index.ts'
import examples from '#surfaces/http/reference/examples.json' with { type: 'json' }
import { siteApiImplementations } from '#surfaces/http/site-api.ts'

const recorded: Readonly<Record<string, { request: string; answer: unknown }>> = examples
const built = operations.filter(({ id }) => siteApiImplementations[id] !== undefined)

test.each(built.map((operation) => [operation.id, operation] as const))(
  '%s has a real answer that its contract allows; else run: npm run record-examples',
  (id, { output, method, path }) => {
    const example = recorded[id]
    expect(example?.request).toMatch(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`))
    expect(Compile(output).Errors(example?.answer)).toEqual([])
  },
)

test('no example is of an operation that no longer exists', () => {
  expect(Object.keys(recorded).filter((id) => operations.every((operation) => operation.id !== id))).toEqual([])
})
