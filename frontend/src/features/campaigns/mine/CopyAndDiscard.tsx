import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useCopyCampaignMutation, useDiscardCampaignMutation } from '../../../api/editing';
import type { CampaignPreview } from '../../../api/content';
import { selectUser } from '../../../api/session';
import { campaignStages } from '../../../domain/stages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { TextButton } from '../../../ui/TextButton';
import classes from './MyCampaignsPage.module.css';

/** What a campaign's creator does with it as a whole: begins another one like it, or throws a draft away. */
export function CopyAndDiscard({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const userId = useSelector(selectUser)?.user_id;
  if (campaign.creator.user_id !== userId) return null;
  return (
    <p className={classes.asides}>
      <Copy campaign={campaign} />
      {campaign.stage === campaignStages.draft && <Discard campaign={campaign} />}
      <span className="tk-visually-hidden">{t('mine.of', { title: campaign.title })}</span>
    </p>
  );
}

function Copy({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const navigate = useNavigate();
  // The same for each press, so that a second one after a lost answer makes no second copy.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [copy, { isLoading, error }] = useCopyCampaignMutation();
  const begin = async () => {
    const { data } = await copy({ campaignId: campaign.campaign_id, 'Idempotency-Key': key });
    if (!data) return;
    setKey(crypto.randomUUID());

    void navigate(
      paths.editCampaign(language, {
        id: data.campaign.campaign_id,
        slug: data.campaign.slug,
        title: campaign.title,
      }),
    );
  };
  return (
    <>
      <TextButton look="inline" isDisabled={isLoading} onPress={() => void begin()}>
        {t('mine.copy.act')}
      </TextButton>
      <Failure>{isApiError(error) && errorText(error, 'CopyAndDiscard')}</Failure>
    </>
  );
}

function Discard({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isAsked, setAsked] = useState(false);
  const [discard, { isLoading, error }] = useDiscardCampaignMutation();
  const go = async () => {
    const { error: failure } = await discard({ campaignId: campaign.campaign_id });
    if (failure) setAsked(false);
  };
  return (
    <>
      <TextButton look="inline" onPress={() => setAsked(true)}>
        {t('mine.discard.act')}
      </TextButton>
      <Failure>{isApiError(error) && errorText(error, 'CopyAndDiscard')}</Failure>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('mine.discard.title', { title: campaign.title || t('begin.untitled') })}
        confirmLabel={t('mine.discard.confirm')}
        cancelLabel={t('mine.discard.cancel')}
        isConfirming={isLoading}
        onConfirm={() => void go()}
        onCancel={() => setAsked(false)}
      >
        {t('mine.discard.text')}
      </ConfirmDialog>
    </>
  );
}

function Failure({ children }: { children: ReactNode }) {
  return children ? (
    <span role="alert" className={classes.failure}>
      {children}
    </span>
  ) : null;
}
