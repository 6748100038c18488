import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { Provider } from 'react-redux';
import { RouterProvider, type createBrowserRouter } from 'react-router-dom';
import { NotifyHost } from '../ui/notify';
import { cssVariablesResolver, theme } from '../ui/theme';
import type { AppStore } from './store';

export interface AppProps {
  store: AppStore;
  i18n: i18n;
  router: ReturnType<typeof createBrowserRouter>;
  /** 'test' switches transitions off. */
  env?: 'default' | 'test';
}

// The same key as styles/theme.js reads before the first paint.
const colorScheme = localStorageColorSchemeManager({ key: 'tk-theme' });

/** The app with everything it stands on. */
export function App({ store, i18n, router, env = 'default' }: AppProps) {
  return (
    <Provider store={store}>
      <I18nextProvider i18n={i18n}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          colorSchemeManager={colorScheme}
          defaultColorScheme="auto"
          env={env}
        >
          <NotifyHost>
            <RouterProvider router={router} />
          </NotifyHost>
        </MantineProvider>
      </I18nextProvider>
    </Provider>
  );
}
