export interface MarkProps {
  /** Side in pixels. */
  size?: number;
}

/** The logo: the corner of a log house, with three bars for logs and a ring for the end of one. */
export function Mark({ size = 30 }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 30 30" fill="var(--tk-spruce)" aria-hidden="true">
      <rect x="2" y="2" width="26" height="7.4" rx="3.7" />
      <rect x="2" y="20.6" width="26" height="7.4" rx="3.7" />
      <rect x="17.4" y="11.3" width="10.6" height="7.4" rx="3.7" />
      <path
        d="M9.6 10.4a4.6 4.6 0 1 0 0 9.2 4.6 4.6 0 0 0 0-9.2Zm0 2.5a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2Z"
        fill="var(--tk-cloud)"
      />
    </svg>
  );
}
