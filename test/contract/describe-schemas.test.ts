import { describe, expect, test } from 'vitest'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { AccountApiError } from '#contract/account-api/errors.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { describedNames, describeFields } from '#contract/describe-schemas.ts'
import { Problem } from '#contract/problem.ts'
import { operations } from '#contract/site-api/index.ts'

const schemas = [...operations, ...accountApiOperations, ...deprecatedOperations].flatMap((operation) => [
  ...[operation.output, operation.params, operation.query],
  ...('body' in operation ? [operation.body] : []),
])

function walk() {
  const used = new Set<string>()
  const missing = new Set<string>()
  for (const schema of [...schemas, Problem, AccountApiError]) {
    describeFields(JSON.parse(JSON.stringify(schema)), (described, field) =>
      described === null ? missing.add(field) : used.add(described),
    )
  }
  return { used, missing }
}

describe('the OpenAPI documents', () => {
  test('describe every schema and field: add what is missing to field-descriptions.ts or that of the account', () => {
    expect([...walk().missing]).toEqual([])
  })

  test('hold no description that no field uses, and none twice', () => {
    const { used } = walk()
    expect(describedNames.filter((name) => !used.has(name))).toEqual([])
    expect(describedNames.filter((name, index) => describedNames.indexOf(name) !== index)).toEqual([])
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
