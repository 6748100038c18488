import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatTime } from '../../../i18n/format';
import { AlertCircleIcon, CheckIcon, UnpluggedIcon } from '../../../ui/icons';
import { askToSignIn } from '../../../ui/signInPrompt';
import { TextButton } from '../../../ui/TextButton';
import type { DraftStatus } from './DraftSaver';
import type { ServerDraft } from './record';
import classes from './SaveLine.module.css';

export interface SaveLineProps {
  status: DraftStatus;
  draft?: ServerDraft;
  /** There is a title. */
  isBegun: boolean;
}

/** Whether what was typed is saved, in words; announced when it changes. */
export function SaveLine({ status, draft, isBegun }: SaveLineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const icon =
    status.is === 'saved' ? (
      <CheckIcon size={16} />
    ) : status.is === 'failed' || status.is === 'signedOut' ? (
      <UnpluggedIcon size={16} />
    ) : status.is === 'refused' || status.is === 'conflict' ? (
      <AlertCircleIcon size={16} />
    ) : null;
  const words = {
    onDevice: isBegun ? t('begin.save.onDevice') : '',
    saving: t('begin.save.saving'),
    saved: status.is === 'saved' ? t('begin.save.saved', { time: formatTime(language, status.at) }) : '',
    failed: t('begin.save.failed'),
    refused: status.is === 'refused' ? errorText(status.error, 'CreateCampaignPage') : '',
    signedOut: t('begin.save.signedOut'),
    conflict: t('begin.save.conflict'),
  }[status.is];
  return (
    <span className={classes.root} data-state={status.is}>
      <span role="status" className={classes.words}>
        {icon}
        {words}
      </span>
      {status.is === 'signedOut' && (
        <TextButton look="inline" onPress={() => dispatch(askToSignIn({ reason: 'create' }))}>
          {t('nav.signIn')}
        </TextButton>
      )}
      {status.is === 'conflict' && draft && (
        <Link to={paths.editCampaign(language, { id: draft.campaignId, slug: draft.slug })}>
          {t('begin.save.toPage')}
        </Link>
      )}
    </span>
  );
}
