import { type ReactNode, useId } from 'react'

interface PanelProps {
  title: string
  /** Beside the title: "17 observed". */
  note?: ReactNode
  controls?: ReactNode
  /** Icon buttons at the end of the head. */
  actions?: ReactNode
  children: ReactNode
  className?: string
}

/** One block of a page with its heading. */
export function Panel({ title, note, controls, actions, children, className = '' }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`panel min-w-0 ${className}`}>
      <div className="flex min-h-28 flex-wrap items-center gap-x-6 gap-y-2 px-8 py-5 max-tablet:px-6">
        {/* The heading wraps beside the buttons; buttons that do not fit there move to the next line. */}
        <div className="flex min-w-0 flex-[1_1_200px] flex-wrap items-center gap-x-6 gap-y-2">
          <h2 id={id} className="text-title font-strong">
            {title}
          </h2>
          {note !== undefined && <span className="text-small text-ink3">{note}</span>}
          {controls}
        </div>
        {actions !== undefined && <span className="-mr-3 ml-auto flex gap-2">{actions}</span>}
      </div>
      {children}
    </section>
  )
}

/** The padding of a panel whose content is not a table. */
export const PanelBody = ({ children }: { children: ReactNode }) => (
  <div className="px-8 pb-8 max-tablet:px-6">{children}</div>
)
