import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectEnd } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { timeOrDay } from '../../../i18n/timeOrDay';
import { AlertCircleIcon, CheckIcon, UnpluggedIcon } from '../../../ui/icons';
import { askToSignIn } from '../../../ui/signInPrompt';
import type { SaveStatus } from '../../../ui/saving/autosaver';
import { TextButton } from '../../../ui/TextButton';
import { useNow } from '../../../ui/useNow';
import type { ServerDraft } from './record';
import classes from './SaveLine.module.css';

export interface SaveLineProps {
  status: SaveStatus;
  draft?: ServerDraft;
  /** When the server got something last before this visit, in milliseconds since 1970. */
  savedBefore?: number;
  /** There is a title. */
  isBegun: boolean;
}

type Words = 'onDevice' | 'saving' | 'saved' | 'failed' | 'refused' | 'signedOut' | 'conflict';

function wordsOf(status: SaveStatus, draft: ServerDraft | undefined, hasEnded: boolean): Words {
  if (status.is === 'failed') return status.isRetried ? 'failed' : 'refused';
  if (status.is === 'saving' || status.is === 'conflict') return status.is;
  // Nobody has been signed in yet, or there is no title yet.
  if (!draft) return status.is === 'signedOut' && hasEnded ? 'signedOut' : 'onDevice';
  return status.is === 'saved' || status.is === 'signedOut' ? status.is : 'saving';
}

const icons: Partial<Record<Words, typeof CheckIcon>> = {
  saved: CheckIcon,
  failed: UnpluggedIcon,
  signedOut: UnpluggedIcon,
  refused: AlertCircleIcon,
  conflict: AlertCircleIcon,
};

/** Whether what was typed is saved, in words; announced when it changes. */
export function SaveLine({ status, draft, savedBefore, isBegun }: SaveLineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const now = useNow();
  const is = wordsOf(status, draft, useSelector(selectEnd) !== undefined);
  const Icon = icons[is];
  const at = status.is === 'saved' && status.at !== undefined ? status.at : savedBefore;
  const words = {
    onDevice: isBegun ? t('begin.save.onDevice') : '',
    saving: t('begin.save.saving'),
    saved: at === undefined ? '' : t('begin.save.saved', { time: timeOrDay(language, at, now) }),
    failed: t('begin.save.failed'),
    refused: status.is === 'failed' ? errorText(status.error, 'CreateCampaignPage') : '',
    signedOut: t('begin.save.signedOut'),
    conflict: t('begin.save.conflict'),
  }[is];
  return (
    <span className={classes.root} data-state={is}>
      <span role="status" className={classes.words}>
        {Icon && <Icon size={16} />}
        {words}
      </span>
      {is === 'signedOut' && (
        <TextButton look="inline" onPress={() => dispatch(askToSignIn({ reason: 'create' }))}>
          {t('nav.signIn')}
        </TextButton>
      )}
      {is === 'conflict' && draft && (
        <Link to={paths.editCampaign(language, { id: draft.campaignId, slug: draft.slug })}>
          {t('begin.save.toPage')}
        </Link>
      )}
    </span>
  );
}
