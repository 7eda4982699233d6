/** Four steps of a track. */
export const Logo = () => (
  <span className="inline-flex items-center gap-4 text-[15px] font-strong">
    <svg aria-hidden="true" viewBox="0 0 20 20" className="h-10 w-10" fill="currentColor">
      <ellipse cx="6" cy="14.5" rx="2" ry="2.7" transform="rotate(14 6 14.5)" />
      <ellipse cx="12.3" cy="11.6" rx="2" ry="2.7" transform="rotate(14 12.3 11.6)" />
      <ellipse cx="10.2" cy="4.8" rx="1.5" ry="2.2" transform="rotate(14 10.2 4.8)" opacity=".55" />
      <ellipse cx="16" cy="4" rx="1.5" ry="2.2" transform="rotate(14 16 4)" opacity=".55" />
    </svg>
    Spoor
  </span>
)
