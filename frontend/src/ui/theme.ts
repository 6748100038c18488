import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const spruce: MantineColorsTuple = [
  '#EDF4EF',
  '#E2ECE3',
  '#BFE0CD',
  '#A0DABC',
  '#86CBA8',
  '#4F9C7A',
  '#2F755B',
  '#17503F',
  '#0E3D2F',
  '#082A20',
];
const gray: MantineColorsTuple = [
  '#FBF8F1',
  '#F3EEE2',
  '#F0EADC',
  '#E4DDCD',
  '#C9C5B8',
  '#878D82',
  '#5F6A62',
  '#4C5A52',
  '#2E3B34',
  '#15231D',
];
const dark: MantineColorsTuple = [
  '#EFECE3',
  '#B3BDB5',
  '#8F9B93',
  '#6F7F75',
  '#28342E',
  '#1E2823',
  '#141D19',
  '#0D1411',
  '#0A100D',
  '#060A08',
];

/** Mantine's theme: Talkoot's colours, type, radii and spacing. */
export const theme = createTheme({
  colors: { spruce, gray, dark },
  primaryColor: 'spruce',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: false,
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  fontFamily: 'var(--tk-font-text)',
  lineHeights: { md: '1.5' },
  headings: { fontFamily: 'var(--tk-font-head)', fontWeight: '600', textWrap: 'balance' },
  defaultRadius: 'md',
  radius: { xs: '0.5rem', sm: '0.625rem', md: '0.75rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  breakpoints: { xs: '36em', sm: '40em', md: '56.25em', lg: '68.75em', xl: '73.75em' },
  shadows: { md: 'var(--tk-shadow-float)' },
  components: {
    // By name instead of Component.extend(), which would load every component with the theme.
    ActionIcon: {
      defaultProps: { variant: 'subtle', size: 44 },
      vars: () => ({ root: { '--ai-color': 'var(--tk-ink2)', '--ai-hover-color': 'var(--tk-ink)' } }),
    },
    Input: { vars: inputVars, defaultProps: { size: 'md' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
  },
});

function inputVars() {
  return {
    wrapper: {
      '--input-height': '3rem',
      '--input-fz': '1rem',
      '--input-bd': 'var(--tk-control)',
      '--input-bg': 'var(--tk-surface)',
      '--input-color': 'var(--tk-ink)',
      '--input-placeholder-color': 'var(--tk-ink3)',
    },
  };
}

const schemeVariables = {
  '--mantine-color-body': 'var(--tk-paper)',
  '--mantine-color-text': 'var(--tk-ink)',
  '--mantine-color-bright': 'var(--tk-ink)',
  '--mantine-color-dimmed': 'var(--tk-ink2)',
  '--mantine-color-placeholder': 'var(--tk-ink3)',
  '--mantine-color-anchor': 'var(--tk-spruce)',
  '--mantine-color-error': 'var(--tk-danger)',
  '--mantine-color-default': 'var(--tk-surface)',
  '--mantine-color-default-hover': 'var(--tk-spruce-soft)',
  '--mantine-color-default-color': 'var(--tk-ink)',
  '--mantine-color-default-border': 'var(--tk-line)',
  '--mantine-primary-color-filled': 'var(--tk-spruce)',
  '--mantine-primary-color-filled-hover': 'var(--tk-spruce-hover)',
  '--mantine-primary-color-light': 'var(--tk-spruce-soft)',
  '--mantine-primary-color-contrast': 'var(--tk-on-spruce)',
  '--mantine-color-spruce-filled': 'var(--tk-spruce)',
  '--mantine-color-spruce-filled-hover': 'var(--tk-spruce-hover)',
  '--mantine-color-spruce-light': 'var(--tk-spruce-soft)',
  '--mantine-color-spruce-light-color': 'var(--tk-spruce)',
};

/** Sets Mantine's CSS variables to our design tokens; styles/tokens.css has their values for both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables,
  dark: schemeVariables,
});
