/** JSON with W3C column names as keys, as CloudFront's standard logging writes it if JSON is chosen. */
import { EDGE_COLUMN, readColumns } from '../columns.ts'
import type { JsonFormat, JsonObject } from '../format.ts'
import { textOf } from './values.ts'

export const w3cJson: JsonFormat = {
  name: 'w3c json',
  reads: (json: JsonObject) => 'cs-uri-stem' in json && ('cs-method' in json || 'sc-status' in json),
  read: (json, into, file) =>
    readColumns(
      (name) => {
        const key =
          name in json
            ? name
            : Object.keys(json).find((one) => one.length === name.length && one.toLowerCase() === name)
        return (key === undefined ? null : textOf(json[key])) ?? undefined
      },
      into,
      file,
      'percent',
    ),
  isOfEdge: (json) => EDGE_COLUMN in json,
}
