/** Line icons of 16 units. They have no label: the control that contains one has it. */
import type { SVGProps } from 'react'

const icon = (path: string) =>
  function Icon({ className = 'h-8 w-8', ...props }: SVGProps<SVGSVGElement>) {
    return (
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className={`shrink-0 ${className}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        <path d={path} />
      </svg>
    )
  }

export const DownloadIcon = icon('M8 2.5v7M5 6.8l3 3 3-3M3 13h10')
export const TableIcon = icon('M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6')
export const ChartIcon = icon('M2.5 13.5h11M4.5 11V7M8 11V3.5M11.5 11V6')
export const ChevronIcon = icon('M4.5 6.5 8 10l3.5-3.5')
export const MenuIcon = icon('M2.5 4.5h11M2.5 8h11M2.5 11.5h11')
export const CloseIcon = icon('M4 4l8 8M12 4l-8 8')
export const CopyIcon = icon('M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3')
export const CheckIcon = icon('M3 8.5l3.2 3.2L13 5')
export const SearchIcon = icon('M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9ZM10.3 10.3l3.2 3.2')
export const ClockIcon = icon('M8 14A6 6 0 1 1 8 2a6 6 0 0 1 0 12ZM8 4.8V8l2.2 1.6')
export const WarningIcon = icon('M8 2.5 14 13H2zM8 6.5v3M8 11.4v.1')
export const SunIcon = icon(
  'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
)
export const PersonIcon = icon('M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 13.8c.6-2.6 2.6-4 5.2-4s4.6 1.4 5.2 4')
