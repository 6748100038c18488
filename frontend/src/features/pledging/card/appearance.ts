import type { Appearance, CustomFontSource } from '@stripe/stripe-js';
import hanken from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2';

const family = 'Hanken Grotesk';

/** The page's own typeface for the provider's frame, which would otherwise use whatever the machine has. */
export function fontsOf(origin: string): CustomFontSource[] {
  return [{ family, src: `url(${new URL(hanken, origin).href})`, weight: '100 900' }];
}

/** The look's colours as they are now, because the provider's frame sees none of our styles. */
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
      // A token that is missing leaves the provider's own colour.
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
