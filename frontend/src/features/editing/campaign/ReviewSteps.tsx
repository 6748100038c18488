import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReviewedPart } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';
import { TextButton } from '../../../ui/TextButton';
import { CreatorReview } from '../review/CreatorReview';
import { useEditor } from './useCampaignEditor';
import classes from './FieldErrorText.module.css';
import { ApiErrorText } from './FieldErrorText';
import { ReviewerNotes } from './ReviewerNotes';
import type { CampaignParts, PartName } from './parts';
import { useGoToPart } from './useGoToPart';

/** The review of a campaign that is not open yet, with the reviewer's notes on the page as a whole. */
export function ReviewSteps() {
  const { admin, saver, refresh, waiting, set } = useEditor();
  const { toItem } = useGoToPart();
  // Reviewers see what is saved, so no review is requested while something is unsaved.
  const [isHeldBack, setHeldBack] = useState(false);
  if (admin.stage !== campaignStages.draft && admin.stage !== campaignStages.preparing) return null;
  return (
    <div>
      <CreatorReview
        admin={admin}
        waiting={waiting}
        onPutBack={() => {
          for (const part of waiting) for (const [name, value] of approvedValues(part)) set(name, value);
        }}
        onBefore={async () => {
          const isSaved = await saver.flush();
          setHeldBack(!isSaved);
          return isSaved;
        }}
        onMoved={refresh}
        onMissing={(key) =>
          toItem(admin.review.checklist.find((item) => item.key === key && !item.done) ?? { key })
        }
      />
      <div role="alert" className={classes.root}>
        {isHeldBack && <WhyHeldBack />}
      </div>
      <ReviewerNotes parts={['whole']} />
    </div>
  );
}

/** The values that staff have approved of a part; the goals of monthly support have a list of their own. */
function approvedValues({ part, before }: ReviewedPart): [PartName, CampaignParts[PartName]][] {
  const was = (before ?? {}) as Record<string, string | number | null>;
  switch (part) {
    case 'title':
      return languages.map((language) => [`${language}.title`, String(was[language] ?? '')]);
    case 'legal_creator':
      return [
        ['legal_creator', String(was.name ?? '')],
        ['legal_creator_type', was.type as CampaignParts['legal_creator_type']],
      ];
    case 'goal': // in minor units
      return [
        ['min_goal', Number(was.min) / 100],
        ['target_goal', Number(was.target) / 100],
      ];
    case 'dates':
      return [
        ['first_day_of_funding', String(was.first ?? '')],
        ['last_day_of_funding', String(was.last ?? '')],
      ];
    case 'funding_rule':
      return [['funding_rule', before as CampaignParts['funding_rule']]];
    default:
      return [];
  }
}

/** Why no review was requested, with a button that leads to the unsaved part. Empty once everything is saved. */
function WhyHeldBack() {
  const { t } = useTranslation();
  const { status, refused } = useEditor();
  const { toPart, toQuestion } = useGoToPart();
  const [[part, refusal] = []] = Object.entries(refused);
  if (status.is === 'conflict' || status.is === 'asking')
    return (
      <p>
        {t('editing.campaign.heldBack.conflict')}{' '}
        <TextButton look="inline" onPress={toQuestion}>
          {t('editing.campaign.heldBack.show')}
        </TextButton>
      </p>
    );
  if (part && refusal)
    return (
      <p>
        {t('editing.campaign.heldBack.refused')} <ApiErrorText error={refusal} />{' '}
        <TextButton look="inline" onPress={() => toPart(part as PartName)}>
          {t('editing.campaign.heldBack.show')}
        </TextButton>
      </p>
    );
  if (status.is === 'signedOut') return <p>{t('editing.campaign.heldBack.signedOut')}</p>;
  if (status.is === 'failed') return <p>{t('editing.campaign.heldBack.notSaved')}</p>;
  return null;
}
