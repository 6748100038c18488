import { useTranslation } from 'react-i18next';
import { chooseColorScheme, useColorScheme } from '../ui/colorScheme';
import { MoonIcon, SunIcon } from '../ui/icons';
import classes from './Header.module.css';

/** Changes between the light and the dark theme and remembers the choice. */
export function ThemeButton() {
  const { t } = useTranslation();
  const isDark = useColorScheme() === 'dark';
  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={isDark ? t('theme.toLight') : t('theme.toDark')}
      onClick={() => chooseColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
