import './mantineStyles';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useColorScheme } from './colorScheme';
import { cssVariablesResolver, theme } from './theme';

/**
 * Mantine's provider with Talkoot's theme. Put it around what uses Mantine, not around the whole app: the first page
 * uses none of Mantine and should not load it.
 */
export function AppMantineProvider({ children }: { children: ReactNode }) {
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
