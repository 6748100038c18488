/** A point in degrees (WGS 84). */
export interface Point {
  latitude: number;
  longitude: number;
}

/** The map's size, in its own units. */
export const mapSize = { width: 336, height: 424 };

const west = 19;
const east = 31.8;
const south = 59.6;
const north = 70.2;
// A degree of longitude is as wide at 65° as 0.42 of one of latitude.
const perLatitude = 37.7;
const perLongitude = 15.93;
const left = 66;
const top = 12;

/** A place's point on the map, in the map's units. */
export const toMap = ({ latitude, longitude }: Point) => ({
  x: left + (longitude - west) * perLongitude,
  y: top + (north - latitude) * perLatitude,
});

const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** A point of the map, kept within it and rounded to what a hand can aim at. */
export function within({ latitude, longitude }: Point): Point {
  return {
    latitude: Math.round(between(latitude, south, north) * 1_000) / 1_000,
    longitude: Math.round(between(longitude, west, east) * 1_000) / 1_000,
  };
}

/** The place at a point of the map, kept within it. */
export const fromMap = (x: number, y: number): Point =>
  within({ latitude: north - (y - top) / perLatitude, longitude: west + (x - left) / perLongitude });

/** The middle of the country, where a pin begins. */
export const middle: Point = { latitude: 64.2, longitude: 26.2 };

const at = (longitude: number, latitude: number) => {
  const { x, y } = toMap({ latitude, longitude });
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
};

/** The border and the coast, drawn by hand: a picture, not a survey. */
const outline: readonly (readonly [number, number])[] = [
  [22.9, 59.85],
  [24.4, 60.0],
  [25, 60.15],
  [25.7, 60.3],
  [26.9, 60.45],
  [27.8, 60.55],
  [28.6, 60.95],
  [29, 61.2],
  [29.8, 61.55],
  [30.8, 62.2],
  [31.55, 62.9],
  [30.9, 63.4],
  [30.1, 63.7],
  [30.5, 64.2],
  [30.1, 64.6],
  [29.7, 64.9],
  [29.8, 65.3],
  [29.8, 65.7],
  [29.9, 66.1],
  [29.1, 66.9],
  [29.9, 67.6],
  [29.5, 68.0],
  [28.6, 68.2],
  [28.5, 68.6],
  [28.9, 69.05],
  [29.1, 69.6],
  [27.95, 70.07],
  [26.9, 69.93],
  [25.75, 69.45],
  [25.7, 69.1],
  [24.9, 68.6],
  [23.9, 68.8],
  [23.1, 68.65],
  [22.4, 68.7],
  [20.6, 69.06],
  [21.6, 68.55],
  [22.4, 68.4],
  [23.6, 67.95],
  [23.5, 67.3],
  [24, 66.8],
  [24.1, 65.85],
  [24.6, 65.7],
  [25.4, 65.05],
  [24.4, 64.7],
  [23.8, 64.25],
  [23, 63.85],
  [22.6, 63.7],
  [21.4, 63.15],
  [21.2, 62.35],
  [21.5, 61.6],
  [21.4, 61.15],
  [21.3, 60.8],
  [22, 60.4],
  [22.2, 60.15],
];
/** The country, as a path. */
export const land = `M${outline.map(([longitude, latitude]) => at(longitude, latitude)).join('L')}Z`;

/** A cut from one point to another: pointed at both ends, `bulge` to each side in the middle. */
function cut(from: readonly [number, number], to: readonly [number, number], bulge: number): string {
  const a = toMap({ longitude: from[0], latitude: from[1] });
  const b = toMap({ longitude: to[0], latitude: to[1] });
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [nx, ny] = [(-(b.y - a.y) / length) * bulge, ((b.x - a.x) / length) * bulge];
  const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${point(a.x, a.y)}Q${point(mx + nx, my + ny)} ${point(b.x, b.y)}Q${point(mx - nx, my - ny)} ${point(a.x, a.y)}Z`;
}

/** The large lakes, as one path. */
export const lakes = [
  cut([28, 61.2], [28.9, 62.1], 9),
  cut([25.5, 61.1], [25.7, 62.2], 6),
  cut([27.2, 68.75], [28.4, 69.1], 8),
  cut([26.7, 64.25], [27.6, 64.45], 6),
  cut([29.2, 63.45], [29.9, 63.05], 6),
  cut([23.7, 61.5], [23.9, 62], 4),
  cut([27.2, 67.85], [28, 68.05], 5),
  cut([27.3, 62.6], [27.8, 63.2], 5),
].join('');

/** Waves on the sea, as one path. */
export const waves = [
  cut([19.6, 63.6], [20.6, 63.6], 2),
  cut([19.4, 62.4], [20.4, 62.4], 2),
  cut([20, 61.3], [20.8, 61.3], 2),
  cut([22.4, 64.9], [23.4, 64.9], 2),
  cut([23.2, 59.7], [24.2, 59.7], 2),
  cut([25.6, 59.8], [26.8, 59.8], 2),
  cut([21.2, 64.3], [22, 64.3], 2),
  cut([19.4, 60.6], [20.2, 60.6], 2),
].join('');

/** A spruce of three tiers on each of these points. */
export const spruces = (
  [
    [26.9, 69.3],
    [24.4, 67.9],
    [26, 67.5],
    [28.2, 67],
    [26, 66.3],
    [28.4, 65.8],
    [27, 65.2],
    [28.6, 64.6],
    [24.9, 63.2],
    [28.6, 63.6],
    [26.6, 62],
  ] as const
)
  .map(([longitude, latitude]) => {
    const { x, y } = toMap({ latitude, longitude });
    const tier = (up: number, half: number) =>
      `M${x - half} ${y - up}L${x} ${y - up - 6}L${x + half} ${y - up}Z`;
    return tier(0, 4) + tier(4, 3) + tier(8, 2);
  })
  .join('');

/** Towns that help to find one's way. */
export const towns = [
  { name: { fi: 'Inari', en: 'Inari', sv: 'Enare' }, latitude: 68.9, longitude: 27.03 },
  { name: { fi: 'Oulu', en: 'Oulu', sv: 'Uleåborg' }, latitude: 65.01, longitude: 25.47 },
  { name: { fi: 'Helsinki', en: 'Helsinki', sv: 'Helsingfors' }, latitude: 60.17, longitude: 24.94 },
] as const;
