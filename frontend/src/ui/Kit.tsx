import './kitStyles';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useColorScheme } from './colorScheme';
import { cssVariablesResolver, theme } from './theme';

/**
 * The UI kit's provider. It stands around what uses the kit, not around the app, because the first visit needs nothing of
 * the kit and should not fetch it.
 */
export function Kit({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={useColorScheme()}
    >
      {children}
    </MantineProvider>
  );
}
