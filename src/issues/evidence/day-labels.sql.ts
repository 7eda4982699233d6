/** Detects changes of the labels of a day's agents. */
import Type from 'typebox'
import { day, rows, tuples, uuid } from '#evidence/sql.ts'
import type { DayOfBuild } from './detection-days.ts'
import type { OutcomeScope } from './detection-scope.ts'

const LabelsOfDay = Type.Object({ day: Type.String(), labels: Type.String() })

/**
 * A hash of the labels of each day's eligible agents.
 * @param builds at least one, ascending by day.
 */
export const labelsOfDays = ({ scope: { site_id }, eligible }: OutcomeScope, builds: readonly DayOfBuild[]) => rows(
  LabelsOfDay,
)`
  WITH ${eligible}
  SELECT toString(on_day) AS day, toString(groupBitXor(cityHash64(agent_key, crawler_id, rank, is_waiting))) AS labels
  FROM (
    SELECT DISTINCT day AS on_day, agent_key
    FROM spoor.crawler_daily
    WHERE site_id = ${uuid(site_id)} AND day >= ${day((builds[0] as DayOfBuild).day)} AND (day, build) IN ${tuples(
      'Tuple(Date, UInt64)',
      builds.map((row) => [row.day, String(row.build)]),
    )}
  ) AS seen
  INNER JOIN eligible USING (agent_key)
  GROUP BY on_day
  ORDER BY day`
