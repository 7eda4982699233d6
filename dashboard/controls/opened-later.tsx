import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from 'react'

/** Properties of the button of the closed form; pressing it loads the rest. */
export type OpeningButton = Pick<
  ComponentProps<'button'>,
  'type' | 'onClick' | 'onKeyDown' | 'onPointerEnter' | 'onFocus' | 'aria-expanded'
>

/**
 * A control that opens a menu, list or dialog below its button. Until it is used, it is a plain button (`Closed`), so
 * that no page waits for code that few people need. `Open` looks the same, and opens once its code is loaded
 * (`useOpenNow`).
 */
export function openedLater<Props extends object>(
  Closed: ComponentType<Props & { button: OpeningButton }>,
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => React.JSX.Element {
  const Open = lazy(load) as unknown as ComponentType<Props>
  // Started when the person is about to press it. What fails here fails again in `lazy`, which shows the error.
  const start = () => void load().catch(() => {})
  return function OpenedLater(props: Props) {
    const [is_wanted, setWanted] = useState(false)
    const open = () => setWanted(true)
    const button: OpeningButton = {
      type: 'button',
      onClick: open,
      // As the open form does: the arrow opens it as well.
      onKeyDown: (event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        open()
      },
      onPointerEnter: start,
      onFocus: start,
      'aria-expanded': false,
    }
    const closed = <Closed {...props} button={button} />
    return is_wanted ? (
      <Suspense fallback={closed}>
        <Open {...props} />
      </Suspense>
    ) : (
      closed
    )
  }
}
