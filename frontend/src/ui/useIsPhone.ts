import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is as narrow as a phone's, below the theme's breakpoint md. */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 56.25em)');
