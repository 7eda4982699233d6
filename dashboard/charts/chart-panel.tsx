import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../controls/button.tsx'
import { useExport } from '../controls/exports.ts'
import { ChartIcon, DownloadIcon, TableIcon } from '../controls/icons.tsx'
import { usePressed } from '../controls/use-pressed.ts'
import { useReportSearch, useSetSearch } from '../read/use-report.ts'
import { announce } from '../shell/announce.tsx'
import { Panel } from '../states/panel.tsx'
import { WeekWords } from './days/week-words.ts'
import { saveFile } from './save-file.ts'

interface ChartPanelProps {
  title: string
  /** Controls beside the title, such as how its parts are grouped. */
  controls?: ReactNode
  chart: ReactNode
  table: ReactNode
  /** The rows of the table as CSV; null until they are loaded. */
  csv: (() => string) | null
  /** Without a file extension. */
  file_name: string
  /** The text about the evidence in the saved picture, below the chart. */
  evidence: string
}

/** A chart with its table, CSV and picture, at the same place in every panel. */
export function ChartPanel({ title, controls, chart, table, csv, file_name, evidence }: ChartPanelProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [is_weekly, setWeekly] = useState(false)
  const { view } = useReportSearch()
  const is_table = view === 'table'
  const heading = is_weekly ? `${title}, by week` : title
  const savePicture = async () => {
    const drawn = frame.current
    if (drawn === null) return
    try {
      const { panelAsPng } = await import('./png/export-png.ts')
      saveFile(`${file_name}.png`, await panelAsPng(drawn, { title: heading, evidence }), 'image/png')
      announce('Saved as PNG.')
    } catch (error) {
      announce(`The picture could not be created: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const saveRows = () => {
    if (csv === null) return
    saveFile(`${file_name}.csv`, csv())
    announce('Saved as CSV.')
  }
  useExport(`${title}, PNG`, is_table ? null : () => void savePicture())
  useExport(`${title}, CSV`, csv === null ? null : saveRows)
  return (
    <Panel
      title={heading}
      controls={controls}
      actions={
        <>
          <ViewSwitch is_table={is_table} />
          {csv !== null && (
            <IconButton label={is_table ? 'Save as CSV' : 'Save as PNG'} onClick={is_table ? saveRows : savePicture}>
              <DownloadIcon />
            </IconButton>
          )}
        </>
      }
    >
      <div ref={frame} className={is_table ? '' : 'px-8 pb-8 max-tablet:px-6'}>
        {is_table ? table : <WeekWords value={setWeekly}>{chart}</WeekWords>}
      </div>
    </Panel>
  )
}

/** The two views of a chart; the address holds which is shown. */
function ViewSwitch({ is_table: is_drawn }: { is_table: boolean }) {
  const setSearch = useSetSearch()
  const [is_table, press] = usePressed(is_drawn)
  const show = (as_table: boolean) =>
    press(as_table, () => void setSearch({ view: as_table ? 'table' : undefined } as never, { replace: true }))
  return (
    <IconButton label={is_table ? 'Show as chart' : 'Show as table'} data-key="t" onClick={() => show(!is_table)}>
      {is_table ? <ChartIcon /> : <TableIcon />}
    </IconButton>
  )
}
