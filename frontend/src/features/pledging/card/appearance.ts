import type { Appearance, CustomFontSource } from '@stripe/stripe-js';
import hanken from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2';

const family = 'Hanken Grotesk';

/** The page's font for the provider's iframe, which cannot use the page's own. */
export function fontsOf(origin: string): CustomFontSource[] {
  return [{ family, src: `url(${new URL(hanken, origin).href})`, weight: '100 900' }];
}

/** The current colours of our design tokens for the provider's iframe, which our styles do not reach. */
export function appearanceOf(root: HTMLElement, isDark: boolean): Appearance {
  const style = getComputedStyle(root);
  const token = (name: string) => style.getPropertyValue(`--tk-${name}`).trim();
  const colors = {
    colorPrimary: token('spruce'),
    colorBackground: token('surface'),
    colorText: token('ink'),
    colorTextSecondary: token('ink2'),
    colorTextPlaceholder: token('ink3'),
    colorDanger: token('danger'),
  };
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      // Without a token the provider's default is used.
      ...Object.fromEntries(Object.entries(colors).filter(([, value]) => value !== '')),
      fontFamily: `"${family}", system-ui, sans-serif`,
      fontSizeBase: '16px',
      borderRadius: '12px',
      spacingUnit: '4px',
    },
    rules: {
      '.Input': { border: `1px solid ${token('control') || 'currentcolor'}`, boxShadow: 'none' },
      '.Label': { fontSize: '15px', fontWeight: '600' },
      '.Error': { fontSize: '14px', fontWeight: '500' },
    },
  };
}
