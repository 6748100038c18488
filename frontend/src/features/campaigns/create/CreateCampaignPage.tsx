import { useState } from 'react';
import { content } from '../../../api/content';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../api/session';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import type { PageLoaderArgs } from '../../../ui/page';
import { usePageTitle } from '../../../ui/usePageTitle';
import { CreateForm } from './CreateForm';
import classes from './CreateCampaignPage.module.css';
import { readOwnRecord, readRecord } from './record';

/** Waits for the categories, so that the form is shown with them. */
export function load({ language, dispatch }: PageLoaderArgs) {
  return dispatch(content.endpoints.categories.initiate({ language }, { subscribe: false }));
}

/** The page for creating a campaign. */
export function Component() {
  const { t } = useTranslation();
  const userId = useSelector(selectUser)?.user_id;
  const [{ round, reader }, setForm] = useState({ round: 0, reader: userId });
  if (userId !== reader) {
    const isAnothers = !readOwnRecord(userId) && readRecord();
    setForm({ round: isAnothers ? round + 1 : round, reader: userId });
  }
  usePageTitle(t('begin.title'));
  return (
    <AppMantineProvider>
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('begin.title')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{t('begin.lead')}</p>
        {/* The key makes a new form with empty state. */}
        <CreateForm key={round} onStartOver={() => setForm({ round: round + 1, reader })} />
      </div>
    </AppMantineProvider>
  );
}
