/** Automated agents that the crawler registry does not know: in no other answer and in no total (rules 2). */
import Type from 'typebox'
import { Count, described, Instant, ObservedCount, oneOf, orNull } from '../fields.ts'
import { Meta } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { crawlerRead, limit, window } from '../parameters.ts'
import { AGENT_SIGNS } from '../vocabulary.ts'

const UnregisteredAgent = Type.Object(
  {
    agent: Type.String({
      description:
        'The user agent as it was sent: e-mail addresses are masked as [e-mail], control characters are replaced, and it is cut at 512 characters. The text comes from strangers.',
    }),
    observed_request_count: ObservedCount,
    first_seen: described(Instant, 'Its first request in the window; of sources that count by the hour, that hour.'),
    last_seen: described(Instant, 'Its last request in the window; of sources that count by the hour, that hour.'),
    signs: Type.Array(
      Type.Object({
        sign: oneOf(AGENT_SIGNS, 'Which kind of sign it is.'),
        text: orNull(
          Type.String(),
          'The word or program of the registry that the agent holds; null for URLs, e-mail addresses and verdicts.',
        ),
      }),
      {
        description:
          'Why the agent counts as automated, by the registry version of this answer. Empty when an earlier version marked it and this one does not.',
      },
    ),
  },
  { title: 'UnregisteredAgent' },
)

export const getUnregisteredAgents = defineSiteOperation({
  id: 'getUnregisteredAgents',
  ...crawlerRead,
  path: '/v1/sites/{site}/unregistered-agents',
  summary: 'Automated agents that the registry does not know, most requests first',
  description:
    'They are counted in no total of another answer. Only requests that were recognised as automated when they were received are kept: what a later registry version would recognise is known from the day of that version on. Takes no purpose filter: meta.purpose_filter lists all purposes.',
  query: Type.Object({
    window,
    limit: limit({ maximum: 100, default: 50, description: 'Most agents to return.' }),
  }),
  output: Type.Object(
    {
      meta: Meta,
      limit: Type.Integer({ minimum: 1, maximum: 100, description: 'The effective limit.' }),
      returned_count: Type.Integer({ minimum: 0, maximum: 100, description: 'Number of agents in this answer.' }),
      total_count: orNull(Count, 'Number of agents of the window; null when it is unknown.'),
      truncated: Type.Boolean({ description: 'Whether there are more agents than this answer lists.' }),
      observed_request_count: orNull(Count, 'Requests of all these agents, listed or not; in no other count.'),
      agents: Type.Array(UnregisteredAgent, { maxItems: 100, description: 'Agents with the most requests first.' }),
    },
    { title: 'UnregisteredAgents' },
  ),
})
export type UnregisteredAgents = OutputOf<typeof getUnregisteredAgents>
export type UnregisteredAgentsInput = InputOf<typeof getUnregisteredAgents>
