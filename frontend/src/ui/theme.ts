import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

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
const cloudberry: MantineColorsTuple = [
  '#FDF4E5',
  '#FBE9CF',
  '#F8D7A6',
  '#F5B869',
  '#F0A044',
  '#E2861F',
  '#CA6B0B',
  '#A85405',
  '#8F4700',
  '#5E2E00',
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

/** The colour name for destructive acts: <Button variant="outline" color="danger">. */
export const danger = 'danger';

/** Variants take their colours from the look's tokens, so both schemes need no case of their own. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const isDanger = input.color === danger;
  const accent = isDanger ? 'var(--tk-danger)' : 'var(--tk-spruce)';
  const soft = isDanger ? 'var(--tk-danger-soft)' : 'var(--tk-spruce-soft)';
  switch (input.variant) {
    case 'filled':
      return {
        background: accent,
        hover: isDanger ? 'var(--tk-danger)' : 'var(--tk-spruce-hover)',
        color: isDanger ? 'var(--tk-surface)' : 'var(--tk-on-spruce)',
        border: '1px solid transparent',
      };
    case 'light':
      return { background: soft, hover: soft, color: accent, border: '1px solid transparent' };
    case 'outline':
    case 'default':
      return {
        background: 'transparent',
        hover: soft,
        color: isDanger ? accent : 'var(--tk-ink)',
        border: `1px solid ${isDanger ? accent : 'var(--tk-control)'}`,
      };
    case 'subtle':
    case 'transparent':
      return {
        background: 'transparent',
        hover: input.variant === 'subtle' ? soft : 'transparent',
        color: accent,
        border: '1px solid transparent',
      };
    default:
      return defaultVariantColorsResolver(input);
  }
};

export const theme = createTheme({
  colors: { spruce, cloudberry, gray, dark },
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
  variantColorResolver,
  components: {
    // Components that a route brings take their settings by name, so that the theme pulls in none of them.
    ActionIcon: {
      defaultProps: { variant: 'subtle', size: 44 },
      vars: () => ({ root: { '--ai-color': 'var(--tk-ink2)', '--ai-hover-color': 'var(--tk-ink)' } }),
    },
    Input: { vars: inputVars, defaultProps: { size: 'md' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    Radio: { vars: () => ({ root: { '--radio-border-color': 'var(--tk-control)' } }) },
    Checkbox: { vars: () => ({ root: { '--checkbox-border-color': 'var(--tk-control)' } }) },
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

/** Mantine's own names for the look's tokens; tokens.css holds the values of both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables,
  dark: schemeVariables,
});
