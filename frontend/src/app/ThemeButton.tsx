import { useTranslation } from 'react-i18next';
import { chooseColorScheme, useColorScheme } from '../ui/colorScheme';
import { IconButton } from '../ui/IconButton';
import { MoonIcon, SunIcon } from '../ui/icons';

/** Switches between the light and the dark theme and stores the choice. */
export function ThemeButton() {
  const { t } = useTranslation();
  const isDark = useColorScheme() === 'dark';
  return (
    <IconButton
      label={isDark ? t('theme.toLight') : t('theme.toDark')}
      onClick={() => chooseColorScheme(isDark ? 'light' : 'dark')}
      icon={isDark ? <SunIcon /> : <MoonIcon />}
    />
  );
}
