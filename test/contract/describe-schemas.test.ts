import { describe, expect, test } from 'vitest'
import { describedNames, describeFields } from '#contract/describe-schemas.ts'
import { Problem } from '#contract/problem.ts'
import { operations } from '#contract/site-api/index.ts'

const schemas = operations.flatMap((operation) => [
  ...[operation.output, operation.params, operation.query],
  ...('body' in operation ? [operation.body] : []),
])

function walk() {
  const used = new Set<string>()
  const missing = new Set<string>()
  for (const schema of [...schemas, Problem]) {
    describeFields(JSON.parse(JSON.stringify(schema)), (described, field) =>
      described === null ? missing.add(field) : used.add(described),
    )
  }
  return { used, missing }
}

describe('the OpenAPI document', () => {
  test('describes every schema and every field: add what is missing to src/contract/field-descriptions.ts', () => {
    expect([...walk().missing]).toEqual([])
  })

  test('holds no description that no field uses', () => {
    const { used } = walk()
    expect(describedNames.filter((name) => !used.has(name))).toEqual([])
  })

  test('a schema keeps its own words, and one of a field’s owner is closer than that of its name', () => {
    const schema = {
      title: 'Source',
      description: 'own',
      properties: { data_through: { type: 'string' }, path: { type: 'string', description: 'own' } },
    }
    expect(describeFields(schema)).toEqual({
      ...schema,
      properties: {
        data_through: { type: 'string', description: expect.stringContaining('The source has reported') },
        path: schema.properties.path,
      },
    })
  })
})
