import type { ReactNode } from 'react'
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { IntervalBar } from '../../charts/interval-bar.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { positionText, sentimentText } from '../../words/brand.ts'
import { counted, fullCount, interval, percent } from '../../words/numbers.ts'
import { type ComparedMetric, comparisonWords } from './changes.ts'

type Metrics = BrandReport['metrics']
export type Ratio = Metrics['visibility']

/** The key figures of the report: rates with their intervals and denominators. */
export function ReportFigures({ report: { metrics, comparison } }: { report: BrandReport }) {
  const { visibility, share_of_voice, citation_rate, average_position, net_sentiment } = metrics
  const change = (metric: ComparedMetric) => comparisonWords(metrics, comparison, metric)
  const classified = net_sentiment.positive + net_sentiment.neutral + net_sentiment.negative + net_sentiment.mixed
  const without = notDefined(metrics)
  return (
    <Figures label="Key figures">
      <RatioFigure label="Visibility" ratio={visibility} unit="answers" change={change('visibility')} />
      {share_of_voice === null ? (
        <Figure label="Share of voice" value={null} not_defined={without.share_of_voice} />
      ) : (
        <RatioFigure
          label="Share of voice"
          ratio={share_of_voice}
          unit="mentions"
          change={change('share_of_voice')}
          not_defined={without.share_of_voice}
        />
      )}
      <RatioFigure
        label="Citation rate"
        ratio={citation_rate}
        unit="answers"
        change={change('citation_rate')}
        unknown_note={visibility.denominator > 0 ? 'citations were not observed' : undefined}
      />
      <Figure
        label="Mean position"
        value={average_position.value}
        format={positionText}
        not_defined={without.average_position}
        note={<Note>in {counted(average_position.n, 'answer')} naming it</Note>}
      />
      <Figure
        label="Net sentiment"
        value={net_sentiment.value}
        format={sentimentText}
        not_defined={without.net_sentiment}
        unknown_note={<Note>no mention was classified</Note>}
        note={
          <Note>
            {fullCount(classified)} of {fullCount(classified + net_sentiment.unknown)} classified
          </Note>
        }
      />
    </Figures>
  )
}

type NotDefined = Partial<Record<'share_of_voice' | 'average_position' | 'net_sentiment', string>>

/**
 * Why numbers are not defined although nothing is unknown (account API, section 2): there is no share of voice without
 * a competitor, and answers that do not name the brand give it neither a position nor a sentiment.
 */
function notDefined({ visibility, share_of_voice }: Pick<Metrics, 'visibility' | 'share_of_voice'>): NotDefined {
  if (share_of_voice === null) {
    return { share_of_voice: 'no competitor is tracked', ...notDefinedByAnswers(visibility) }
  }
  // Without an answer, every number is unknown.
  if (visibility.denominator === 0 || share_of_voice.denominator > 0) return notDefinedByAnswers(visibility)
  return { share_of_voice: 'no answer to an unbranded question names any', ...notDefinedByAnswers(visibility) }
}

const notDefinedByAnswers = ({ numerator, denominator }: Ratio): NotDefined =>
  denominator === 0 || numerator > 0
    ? {}
    : { average_position: 'no answer names it', net_sentiment: 'no answer names it' }

interface RatioFigureProps {
  label: string
  ratio: Ratio
  unit: string
  change: string | null
  not_defined?: string | undefined
  unknown_note?: string | undefined
}

const RatioFigure = ({ label, ratio, unit, change, ...without }: RatioFigureProps) => (
  <Figure
    {...without}
    label={label}
    value={ratio.value}
    format={percent}
    aside={ratio.low === null || ratio.high === null ? undefined : interval(ratio.low, ratio.high)}
    note={
      <>
        <span className="block py-2">
          <IntervalBar {...ratio} label={`${label} from 0 to 100 %`} />
        </span>
        <span className="block">
          {fullCount(ratio.numerator)} of {fullCount(ratio.denominator)} {unit}
        </span>
        {change !== null && <span className="block">{change}</span>}
      </>
    }
  />
)

/** A note at the height of the notes below intervals. */
const Note = ({ children }: { children: ReactNode }) => <span className="block tablet:pt-10">{children}</span>
