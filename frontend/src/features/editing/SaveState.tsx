import { useTranslation } from 'react-i18next';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { timeOrDay } from '../../i18n/timeOrDay';
import { AlertCircleIcon, CheckIcon, UnpluggedIcon } from '../../ui/icons';
import { askToSignIn } from '../../ui/signInPrompt';
import { TextButton } from '../../ui/TextButton';
import { useNow } from '../../ui/useNow';
import type { SaveStatus } from '../../ui/saving/autosaver';
import classes from './SaveState.module.css';

export interface SaveStateProps {
  status: SaveStatus;
  /** When the text was saved last before this visit, RFC 3339. */
  savedBefore?: string;
  /** What is saved is not public yet. */
  isDraft?: boolean;
  onRetry: () => void;
  /** Places that wait for a choice between two people's versions. */
  questions?: number;
  onQuestion?: () => void;
}

/** Says whether the text is saved. A live region: screen readers announce each change. */
export function SaveState({ status, savedBefore, isDraft = false, onRetry, ...rest }: SaveStateProps) {
  const { questions = 0, onQuestion } = rest;
  const dispatch = useAppDispatch();
  const { t } = useTranslation();
  return (
    <div className={classes.root} data-state={status.is}>
      <span role="status" className={classes.words}>
        <Words status={status} savedBefore={savedBefore} isDraft={isDraft} />
      </span>
      {status.is === 'failed' && status.isRetried && (
        <TextButton look="inline" onPress={onRetry}>
          {t('editing.saveNow')}
        </TextButton>
      )}
      {questions > 0 && onQuestion && (
        <TextButton look="inline" onPress={onQuestion}>
          {t('editing.merge.waiting', { count: questions })}
        </TextButton>
      )}
      {status.is === 'signedOut' && (
        <TextButton look="inline" onPress={() => dispatch(askToSignIn())}>
          {t('nav.signIn')}
        </TextButton>
      )}
    </div>
  );
}

function Words({ status, savedBefore, isDraft }: Pick<SaveStateProps, 'status' | 'savedBefore' | 'isDraft'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const now = useNow();
  switch (status.is) {
    case 'saved': {
      const at = status.at ?? savedBefore;
      if (at === undefined) return null;
      const time = timeOrDay(language, at, now);
      return (
        <>
          <CheckIcon size={16} />
          {t(isDraft ? 'editing.draftSaved' : 'editing.saved', { time })}
        </>
      );
    }
    case 'waiting':
    case 'saving':
      return <>{t('editing.saving')}</>;
    case 'failed':
      return (
        <>
          {status.isRetried ? <UnpluggedIcon size={16} /> : <AlertCircleIcon size={16} />}
          {status.isRetried
            ? t('editing.notSaved')
            : t('editing.restSaved', { why: errorText(status.error, 'SaveState') })}
        </>
      );
    case 'signedOut':
      return (
        <>
          <UnpluggedIcon size={16} />
          {t('editing.sessionEnded')}
        </>
      );
    case 'asking':
    case 'conflict':
      return (
        <>
          <AlertCircleIcon size={16} />
          {t('editing.conflict')}
        </>
      );
  }
}
