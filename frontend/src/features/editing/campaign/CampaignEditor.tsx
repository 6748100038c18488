import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import type { CampaignAdmin, Writer } from '../../../api/editing';
import { campaignStages, isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { WritersContext } from '../presence/writers';
import { CoverEditor, CreatorPictureEditor } from '../pictures/CoverEditor';
import { VideoEditor } from '../video/VideoEditor';
import { Account } from './Account';
import classes from './CampaignEditor.module.css';
import { Checklist } from './Checklist';
import { Contact } from './Contact';
import { EditBar } from './EditBar';
import { EditPart } from './EditPart';
import { Goals } from './Goals';
import { MoneyAndTime } from './MoneyAndTime';
import { ReviewSteps } from './ReviewSteps';
import { RewardList } from './RewardList';
import { CategoriesAndTags } from './CategoriesAndTags';
import { StoryPart } from './StoryPart';
import { Team } from './Team';
import { TextPart } from './TextPart';
import { EditorContext, useCampaignEditor } from './useCampaignEditor';
import { Variations } from './Variations';

export interface CampaignEditorProps {
  /** The public page's data. */
  campaign: Campaign;
  /** The campaign as it was read for editing. */
  first: CampaignAdmin;
  /** Who else had it open then. */
  writers: readonly Writer[] | undefined;
  userId: number;
}

/** A campaign's page as visitors see it, with every text editable in its place, and the settings beside it. */
export function CampaignEditor({ campaign, first, writers, userId }: CampaignEditorProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const editor = useCampaignEditor(first, userId, writers);
  const [language, setLanguage] = useState(pageLanguage);
  const page = useMemo(() => ({ ...editor, language, setLanguage }), [editor, language]);
  const { admin, act } = editor;
  const isMonthly = isRecurring(first.opens_as);
  return (
    <EditorContext value={page}>
      <WritersContext value={editor.writers}>
        <AppMantineProvider>
          <EditBar campaign={campaign} />
          <div className={`tk-container ${classes.root}`}>
            <div className={classes.page}>
              <h1 className="tk-visually-hidden">{t('editing.campaign.pageTitle')}</h1>
              <p className={classes.eyebrow}>
                {[campaign.category, editor.parts.place].filter(Boolean).join(' · ')}
              </p>
              <TextPart field="title" reviewPart="title" look="page" />
              <TextPart field="tagline" reviewPart="tagline" look="lead" />
              <TextPart field="short_description" reviewPart="short_description" look="lead" />
              <EditPart name={t('review.parts.cover')} id="cover" reviewPart="cover">
                <CoverEditor
                  admin={admin}
                  userId={userId}
                  language={language}
                  shown={admin.project_pic || campaign.project_pic}
                  act={act}
                />
              </EditPart>
              <EditPart name={t('review.parts.video')} id="video" reviewPart="video">
                <VideoEditor admin={admin} userId={userId} act={act} />
              </EditPart>
              <StoryPart key={language} />
              <EditPart name={t('editing.pictures.creator')} id="creator">
                <CreatorPictureEditor admin={admin} act={act} />
              </EditPart>
              <TextPart field="about_creator" reviewPart="about_creator" />
              <TextPart field="match_funding" reviewPart="custom_texts" />
            </div>
            <div className={classes.side}>
              <ReviewSteps />
              {admin.stage <= campaignStages.preparing && <Checklist />}
              <MoneyAndTime />
              {isMonthly && <Goals key={language} reached={campaign.subscriptions_reached ?? 0} />}
              <RewardList isFirst={!isMonthly} />
            </div>
            <div className={classes.settings}>
              <CategoriesAndTags />
              <Contact />
              <Team />
              <Account />
              <Variations />
            </div>
          </div>
        </AppMantineProvider>
      </WritersContext>
    </EditorContext>
  );
}
