import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import type { PledgeChange } from '../../../api/own';
import { useErrorText } from '../../../i18n/errorText';
import type { PledgeActs } from './acts';
import classes from './MyPledgesPage.module.css';

/** A choice of how others see a pledge. */
export interface Shown {
  /** The choice that is being saved. */
  saving: PledgeChange | undefined;
  isSaved: boolean;
  /** Why the last choice was not saved, or empty. */
  failure: string;
  save: (choice: PledgeChange) => Promise<void>;
}

/** Saves a choice at once. */
export function useShown({ change }: PledgeActs): Shown {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [saving, setSaving] = useState<PledgeChange>();
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState('');
  return {
    saving,
    isSaved,
    failure,
    save: async (choice) => {
      setFailure('');
      setSaved(false);
      setSaving(choice);
      const error = await change(choice);
      setSaving(undefined);
      setSaved(!error);
      if (isApiError(error)) setFailure(`${t('myPledges.failed')}. ${errorText(error, 'Shown')}`);
    },
  };
}

/** What became of the last choice. */
export function ShownStatus({ shown: { isSaved, failure } }: { shown: Shown }) {
  const { t } = useTranslation();
  return (
    <>
      <span role="status" className="tk-visually-hidden">
        {isSaved && t('myPledges.name.saved')}
      </span>
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
    </>
  );
}
