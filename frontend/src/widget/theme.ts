/**
 * Whether the widget is dark: its theme attribute, else as the page behind it. The first background that is not
 * transparent decides; a page without one is painted in its colour scheme.
 */
export function isDark(widget: HTMLElement): boolean {
  const asked = widget.getAttribute('theme');
  if (asked === 'light' || asked === 'dark') return asked === 'dark';
  for (let at: Element | null = widget.parentElement; at; at = parentOf(at)) {
    const colour = brightness(getComputedStyle(at).backgroundColor);
    if (colour !== undefined) return colour < 0.5;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (scheme.includes('dark'))
    return !scheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches;
  return false;
}

function parentOf(at: Element): Element | null {
  const root = at.getRootNode();
  return at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** The brightness of a CSS colour, 0 to 1; undefined if one sees through it, or it is none that we can read. */
function brightness(colour: string): number | undefined {
  const rgb = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(colour);
  if (rgb) {
    const parts: (string | undefined)[] = rgb.slice(1);
    const [red = 0, green = 0, blue = 0, alpha = 1] = parts.map((part) => Number(part ?? 1));
    return alpha < 0.5 ? undefined : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  }
  // oklch(), oklab() and lab() begin with the lightness.
  const lightness = /^(?:ok)?(lch|lab)\(([\d.]+)/.exec(colour);
  if (!lightness) return undefined;
  const value = Number(lightness[2]);
  return colour.startsWith('ok') ? value : value / 100;
}
