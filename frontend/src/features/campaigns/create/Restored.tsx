import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { TextButton } from '../../../ui/TextButton';
import classes from './CreateCampaignPage.module.css';

export interface RestoredProps {
  onAnew: () => void;
}

/** Says that an earlier visit's form goes on, and offers an empty one. */
export function Restored({ onAnew }: RestoredProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <p className={classes.restored}>
      {t('begin.restored')}{' '}
      <TextButton look="inline" onPress={() => setAsking(true)}>
        {t('begin.anew')}
      </TextButton>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('begin.anewTitle')}
        confirmLabel={t('begin.anew')}
        cancelLabel={t('form.stay')}
        onConfirm={() => {
          setAsking(false);
          onAnew();
        }}
        onCancel={() => setAsking(false)}
      >
        {t('begin.anewText')}
      </ConfirmDialog>
    </p>
  );
}
