import { useTranslation } from 'react-i18next';
import {
  useChangeCampaignLanguageMutation,
  useChangeCampaignSettingsMutation,
  type CampaignAdmin,
} from '../../../api/editing';
import { isApiError } from '../../../api/apiError';
import type { Language } from '../../../domain/languages';
import { useErrorText } from '../../../i18n/errorText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { TextField } from '../../../ui/fields';
import { Picture } from '../../../ui/Picture';
import { ImageUpload } from '../images/ImageUpload';
import { useKeptText } from '../useKeptText';
import classes from './CoverEditor.module.css';

export interface CoverEditorProps {
  admin: CampaignAdmin;
  userId: number;
  /** The language in which the cover is described. */
  language: Language;
  /** What is shown now: the cover, or the one that is drawn while there is none. */
  shown: string;
  /** A change was saved: the campaign has another version. */
  onSaved: () => void;
}

/** Like the contract's bound for alternative texts, in characters. */
const longestAlt = 300;

/** The cover with its description, and the creator's picture. Pictures are saved at once, the description when it is left. */
export function CoverEditor({ admin, userId, language, shown, onSaved }: CoverEditorProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      <section aria-label={t('editing.pictures.cover')}>
        <PictureField admin={admin} field="project_pic" shown={shown} onSaved={onSaved} />
        <AltField key={language} admin={admin} userId={userId} language={language} onSaved={onSaved} />
      </section>
      <section aria-label={t('editing.pictures.creator')} className={classes.creator}>
        <h2>{t('editing.pictures.creator')}</h2>
        <PictureField admin={admin} field="creator_pic" shown={admin.creator_pic} onSaved={onSaved} />
      </section>
    </div>
  );
}

interface PictureFieldProps extends Pick<CoverEditorProps, 'admin' | 'shown' | 'onSaved'> {
  field: 'project_pic' | 'creator_pic';
}

function PictureField({ admin, field, shown, onSaved }: PictureFieldProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [change, { error }] = useChangeCampaignSettingsMutation();
  const campaignId = admin.campaign_id;
  const isCover = field === 'project_pic';
  const save = async (name: string) => {
    const { data } = await change({ campaignId, campaignSettingsChange: { [field]: name } });
    if (data) onSaved();
  };
  return (
    <>
      <ImageUpload
        of={{ campaignId }}
        ratio={isCover ? 1.6 : 1}
        minWidth={isCover ? 960 : 288}
        help={
          <>
            {isCover && !admin.project_pic && `${t('editing.pictures.drawn')} `}
            {t(isCover ? 'editing.pictures.coverHelp' : 'editing.pictures.creatorHelp')}
          </>
        }
        onStored={({ name }) => void save(name)}
        onRemove={admin[field] ? () => void save('') : undefined}
      >
        {shown && (
          <Picture
            name={shown}
            alt={isCover ? t('editing.pictures.cover') : t('editing.pictures.creator')}
            ratio={isCover ? 1.6 : 1}
            widths={isCover ? [400, 800, 1552] : [144, 288]}
            sizes={isCover ? '(min-width: 56.25em) 48rem, 100vw' : '9rem'}
          />
        )}
      </ImageUpload>
      <div role="alert" className={classes.failure}>
        {isApiError(error) && errorText(error, 'CoverEditor')}
      </div>
    </>
  );
}

function AltField({ admin, userId, language, onSaved }: Omit<CoverEditorProps, 'shown'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [change] = useChangeCampaignLanguageMutation();
  const campaignId = admin.campaign_id;
  const alt = useKeptText({
    name: `cover-alt-${campaignId}-${language}`,
    userId,
    saved: admin.texts[language]?.project_pic_alt ?? '',
    send: async (text) => {
      const { error } = await change({
        campaignId,
        campaignLanguageChange: { [language]: { project_pic_alt: text } },
      });
      if (!error) onSaved();
      return error;
    },
  });
  return (
    <AppMantineProvider>
      <TextField
        label={t('editing.pictures.alt')}
        help={alt.isSaved ? t('editing.pictures.saved') : t('editing.pictures.altHelp')}
        error={alt.error && errorText(alt.error, 'CoverEditor')}
        maxLength={longestAlt}
        lang={language}
        value={alt.value}
        onChange={({ currentTarget }) => alt.write(currentTarget.value)}
        onBlur={() => void alt.leave()}
      />
    </AppMantineProvider>
  );
}
