import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { TextButton } from '../../../ui/TextButton';
import classes from './CreateCampaignPage.module.css';

export interface RestoredProps {
  onStartOver: () => void;
}

/** A notice that the form was restored from an earlier visit, with a button to start over. */
export function Restored({ onStartOver }: RestoredProps) {
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
          onStartOver();
        }}
        onCancel={() => setAsking(false)}
      >
        {t('begin.anewText')}
      </ConfirmDialog>
    </p>
  );
}
