import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useChangePledgeMutation, type OwnPledge, type PledgeChange } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
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
export function useShown({ pledge_id: pledgeId }: OwnPledge): Shown {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [change, { isLoading, isSuccess, originalArgs }] = useChangePledgeMutation();
  const [failure, setFailure] = useState('');
  return {
    saving: isLoading ? originalArgs?.pledgeChange : undefined,
    isSaved: isSuccess && !failure,
    failure,
    save: async (choice) => {
      setFailure('');
      const { error } = await change({ pledgeId, language, pledgeChange: choice });
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
