import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MoonIcon, SunIcon } from '../ui/icons';
import classes from './Header.module.css';

/** Changes between the light and the dark theme and remembers the choice. */
export function ThemeButton() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const isDark = scheme === 'dark';
  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={isDark ? t('theme.toLight') : t('theme.toDark')}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
