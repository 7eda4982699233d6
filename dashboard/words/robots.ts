/** Why a decision differs from the lines of robots.txt, or is open. A code without words here is shown as it is. */
const DEVIATION_WORDS: Readonly<Record<string, string>> = {
  no_token: 'its vendor documents no name for robots.txt',
  rest_of_file: 'the file is over 500 KiB, and crawlers need not read the rest',
  unreachable_over_30_days: 'the file could not be fetched for over 30 days',
  last_copy_may_apply: 'it may use an earlier copy',
  '429_as_unreachable': 'its vendor documents that it treats 429 like a server error',
  unfetchable_as_absent: 'its vendor documents that it treats a file that cannot be fetched as absent',
  rest_ignored: 'its vendor documents that it ignores what follows the first 500 KiB',
  over_limit_as_absent: 'its vendor documents that it ignores a file of more than 500 KiB',
  may_follow_others: 'not named; its vendor documents that it may follow groups of other search crawlers',
  may_ignore: 'its vendor documents that it may ignore robots.txt, because it fetches what a person asks for',
}

const GROUP_OF = 'group_of:'

export const deviationWords = (deviation: string): string =>
  deviation.startsWith(GROUP_OF)
    ? `not named; its vendor documents that it follows the group of ${deviation.slice(GROUP_OF.length)}`
    : (DEVIATION_WORDS[deviation] ?? deviation)
