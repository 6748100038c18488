import { useState } from 'react';
import { content } from '../../../api/content';
import { useTranslation } from 'react-i18next';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import type { PageLoaderArgs } from '../../../ui/page';
import { usePageTitle } from '../../../ui/usePageTitle';
import { CreateForm } from './CreateForm';
import classes from './CreateCampaignPage.module.css';

/** Waits for the categories, so that the form is shown with them. */
export function load({ language, dispatch }: PageLoaderArgs) {
  return dispatch(content.endpoints.categories.initiate({ language }, { subscribe: false }));
}

/** The page for creating a campaign. */
export function Component() {
  const { t } = useTranslation();
  const [round, setRound] = useState(0);
  usePageTitle(t('begin.title'));
  return (
    <AppMantineProvider>
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('begin.title')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{t('begin.lead')}</p>
        {/* The key makes a new form with empty state. */}
        <CreateForm key={round} onStartOver={() => setRound(round + 1)} />
      </div>
    </AppMantineProvider>
  );
}
