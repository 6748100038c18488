export interface CutsProps {
  /** 'quote': three of one size · 'empty': two, and a smaller one in the colour of control borders. */
  kind: 'quote' | 'empty';
}

// The SVG path of one cut from A to B: two quadratic curves, bulging by t to either side of the line AB.
function cut([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number], t: number): string {
  const length = Math.hypot(bx - ax, by - ay);
  const [nx, ny] = [((by - ay) / length) * t, ((ax - bx) / length) * t];
  const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  return `M${ax} ${ay}Q${mx + nx} ${my + ny} ${bx} ${by}Q${mx - nx} ${my - ny} ${ax} ${ay}Z`;
}

const large = [0, 28, 56].map((x) => cut([x + 2, 34], [x + 26, 2], 12));

/**
 * The "knife cut", a motif of Talkoot's visual design: a lens with two pointed ends, like the mark of a carving knife.
 * Decoration above quotations and in empty states.
 */
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
