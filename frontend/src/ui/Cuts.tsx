export interface CutsProps {
  /** 'quote' is three alike; 'empty' ends with a smaller one in the colour of controls. */
  kind: 'quote' | 'empty';
}

// From A to B with thickness t: a quadratic through the midpoint pushed along the normal, and back.
function cut([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], t: number): string {
  const length = Math.hypot(bx - ax, by - ay);
  const [nx, ny] = [((by - ay) / length) * t, ((ax - bx) / length) * t];
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  return `M${ax} ${ay}Q${mx + nx} ${my + ny} ${bx} ${by}Q${mx - nx} ${my - ny} ${ax} ${ay}Z`;
}

const large = [0, 28, 56].map((x) => cut([x + 2, 34], [x + 26, 2], 12));

/** The knife cut, as it stands over quotations and in empty states. Decoration only. */
export function Cuts({ kind }: CutsProps) {
  const shown = kind === 'quote' ? large : large.slice(0, 2);
  return (
    <svg
      width={kind === 'quote' ? 48 : 76}
      height={kind === 'quote' ? 20 : 34}
      viewBox="0 0 84 36"
      preserveAspectRatio="xMinYMid meet"
      aria-hidden="true"
    >
      {shown.map((d) => (
        <path key={d} d={d} fill="var(--tk-spruce)" />
      ))}
      {kind === 'empty' && <path d={cut([58, 34], [74, 12], 8)} fill="var(--tk-control)" />}
    </svg>
  );
}
