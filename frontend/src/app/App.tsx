import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { Provider } from 'react-redux';
import { RouterProvider, type createBrowserRouter } from 'react-router-dom';
import { NotifyHost } from '../ui/notify';
import type { AppStore } from './store';

export interface AppProps {
  store: AppStore;
  i18n: i18n;
  router: ReturnType<typeof createBrowserRouter>;
}

/** The app with its providers. */
export function App({ store, i18n, router }: AppProps) {
  return (
    <Provider store={store}>
      <I18nextProvider i18n={i18n}>
        <NotifyHost>
          <RouterProvider router={router} />
        </NotifyHost>
      </I18nextProvider>
    </Provider>
  );
}
