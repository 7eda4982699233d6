/**
 * What the SDK says of parameters that do not have the form of their method: the issues of its validator as JSON, for
 * most methods as an internal error (-32603). Here they are faults of the request (-32602), in words.
 */
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { memberAt, objectsAt, textAt } from '#json-members.ts'

/** Most answers have neither code, and need not be parsed. */
const MAY_BE_ONE = /"code":-3260[23]\b/

/** The library’s answer, with faults of parameters in the words of Spoor. */
export async function describeParamFaults(response: Response): Promise<Response> {
  const { status, headers } = response
  const text = await response.text()
  if (!MAY_BE_ONE.test(text)) return new Response(text === '' ? null : text, { status, headers })
  const answer: unknown = JSON.parse(text)
  const described = Array.isArray(answer) ? answer.map(describe) : describe(answer)
  return new Response(JSON.stringify(described), { status, headers })
}

function describe(answer: unknown): unknown {
  const faults = faultsIn(textAt(answer, 'error', 'message') ?? '')
  if (faults.length === 0) return answer
  const error = { code: ProtocolErrorCode.InvalidParams, message: `Invalid parameters. ${faults.join('; ')}.` }
  return { jsonrpc: '2.0', id: memberAt(answer, 'id'), error }
}

/** Each as the place and what is wrong there; none in a message of another kind. */
function faultsIn(message: string): string[] {
  const [issues] = /\[\n.*\]$/s.exec(message) ?? []
  if (issues === undefined) return []
  try {
    return objectsAt({ issues: JSON.parse(issues) }, 'issues').map(
      (issue) => `${(issue.path as string[]).join('.')}: ${issue.message}`,
    )
  } catch {
    return []
  }
}
