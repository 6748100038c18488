import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { campaignStages } from '../../../domain/stages';
import { PencilIcon } from '../../../ui/editIcons';
import { Button } from '../../../ui/Button';
import ModeBar from '../../../ui/modes/ModeBar';
import { useWritePost } from '../../../ui/modes/useWritePost';
import { UndoAndHistory } from '../history/UndoAndHistory';
import { Writers } from '../presence/Writers';
import { LanguageSegments } from '../LanguageSegments';
import { SaveState } from '../SaveState';
import { missingLanguages, ofLanguage } from '../partNames';
import { useEditor } from './useCampaignEditor';
import { CampaignHistory } from './CampaignHistory';
import { useGoToPart } from './useGoToPart';

/** The bar of edit mode: language, save status, undo, history, and a button to write an update. */
export function EditBar({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const page = useEditor();
  const { admin, parts, language, setLanguage, status, saver, canUndo, undo, questions } = page;
  const { toQuestion } = useGoToPart();
  const named = { ...campaign, id: campaign.campaign_id };
  const { write, isBusy } = useWritePost(named);
  const [history, setHistory] = useState<'never' | 'open' | 'closed'>('never');
  const takeBack = () => {
    const part = undo();
    const text = part && ofLanguage(part);
    if (text) setLanguage(text.language);
  };
  const isDraft = admin.stage === campaignStages.draft;
  return (
    <ModeBar
      campaign={named}
      acl={campaign.acl}
      mode="edit"
      held={admin.held}
      end={
        isDraft ? (
          <span>{t('mode.draft')}</span>
        ) : (
          <Button size="sm" leftSection={<PencilIcon size={16} />} loading={isBusy} onClick={write}>
            {t('editing.campaign.writePost')}
          </Button>
        )
      }
    >
      <LanguageSegments isSmall value={language} onChange={setLanguage} missing={missingLanguages(parts)} />
      <SaveState
        status={status}
        savedBefore={admin.texts[language]?.updated_at}
        onRetry={saver.resume}
        questions={questions}
        onQuestion={toQuestion}
      />
      <Writers writers={page.writers} />
      <UndoAndHistory canUndo={canUndo} onUndo={takeBack} onHistory={() => setHistory('open')} />
      {history !== 'never' && (
        <CampaignHistory isOpen={history === 'open'} onClose={() => setHistory('closed')} />
      )}
    </ModeBar>
  );
}
