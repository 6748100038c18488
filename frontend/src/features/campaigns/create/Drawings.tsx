import type { Variant } from './values';

/** The drawing of a variant, 92 × 28: a path with four steps, a line of text with a caret, a row of goals. */
export function Drawing({ variant }: { variant: Variant }) {
  return (
    <svg width="92" height="28" viewBox="0 0 92 28" fill="none" strokeWidth="3" strokeLinecap="round">
      {variant === 'guided' && (
        <>
          <path d="M8 14h24" stroke="var(--tk-spruce)" />
          <path d="M38 14h11m12 0h11" stroke="var(--tk-control)" strokeWidth="1.5" strokeDasharray="3 3" />
          <circle cx="8" cy="14" r="6.5" fill="var(--tk-spruce)" />
          <circle cx="32" cy="14" r="5" fill="var(--tk-surface)" stroke="var(--tk-spruce)" />
          <circle cx="55" cy="14" r="5.5" stroke="var(--tk-control)" strokeWidth="1.5" />
          <circle cx="78" cy="14" r="5.5" stroke="var(--tk-control)" strokeWidth="1.5" />
        </>
      )}
      {variant === 'short' && (
        <>
          <rect x="2" y="9" width="42" height="11" rx="5.5" fill="var(--tk-spruce)" />
          <path d="M51 6v17" stroke="var(--tk-ink)" strokeWidth="2" />
          <rect x="58" y="9" width="28" height="11" rx="5.5" fill="var(--tk-track)" />
        </>
      )}
      {variant === 'monthly' && (
        <>
          <path d="M8 14h37" stroke="var(--tk-cloud)" />
          <path d="M51 14h23" stroke="var(--tk-track)" />
          <circle cx="8" cy="14" r="6.5" fill="var(--tk-cloud)" />
          <circle cx="45" cy="14" r="6.5" fill="var(--tk-cloud)" />
          <circle cx="80" cy="14" r="5" stroke="var(--tk-cloud)" />
        </>
      )}
    </svg>
  );
}
