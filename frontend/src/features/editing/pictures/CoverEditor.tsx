import { useTranslation } from 'react-i18next';
import {
  useChangeCampaignLanguageMutation,
  useChangeCampaignSettingsMutation,
  type CampaignAdmin,
} from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { useErrorText } from '../../../i18n/errorText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { TextField } from '../../../ui/fields';
import { Picture } from '../../../ui/Picture';
import { ImageUpload } from '../../../ui/images/ImageUpload';
import { useAct } from '../useAct';
import type { Act } from '../useEntityEditor';
import { useSaveOnBlur } from '../useSaveOnBlur';
import classes from './CoverEditor.module.css';
import { cover, creator } from './sizes';

export interface CoverEditorProps {
  admin: CampaignAdmin;
  userId: number;
  /** The language of the alt text. */
  language: Language;
  /** The file name of the picture that is shown: the cover, or the generated one if there is no cover. */
  shown: string;
  act: Act<CampaignAdmin>;
}

/** In characters; the contract's bound. */
const maxAltLength = 300;

/** The cover with its alt text. The picture is saved at once, the alt text when its field loses the focus. */
export function CoverEditor({ admin, userId, language, shown, act }: CoverEditorProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('editing.pictures.cover')} className={classes.root}>
      <PictureField admin={admin} field="project_pic" shown={shown} act={act} />
      <AltField key={language} admin={admin} userId={userId} language={language} act={act} />
    </section>
  );
}

/** The creator's picture, saved at once. */
export function CreatorPictureEditor({ admin, act }: Pick<CoverEditorProps, 'admin' | 'act'>) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('editing.pictures.creator')}>
      <PictureField admin={admin} field="creator_pic" shown={admin.creator_pic} act={act} />
    </section>
  );
}

interface PictureFieldProps extends Pick<CoverEditorProps, 'admin' | 'shown' | 'act'> {
  field: 'project_pic' | 'creator_pic';
}

function PictureField({ admin, field, shown, act }: PictureFieldProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [change] = useChangeCampaignSettingsMutation();
  const { run, failure } = useAct(act);
  const campaignId = admin.campaign_id;
  const isCover = field === 'project_pic';
  const size = isCover ? cover : creator;
  const choose = (name: string) =>
    void run(() => change({ campaignId, campaignSettingsChange: { [field]: name } }));
  return (
    <>
      <ImageUpload
        of={{ campaignId }}
        isWide={isCover}
        ratio={size.ratio}
        minWidth={size.minWidth}
        help={
          <>
            {isCover && !admin.project_pic && `${t('editing.pictures.drawn')} `}
            {t(isCover ? 'editing.pictures.coverHelp' : 'editing.pictures.creatorHelp')}
          </>
        }
        onStored={({ name }) => choose(name)}
        onRemove={admin[field] ? () => choose('') : undefined}
      >
        {shown && (
          <Picture
            name={shown}
            alt={isCover ? t('editing.pictures.cover') : t('editing.pictures.creator')}
            ratio={size.ratio}
            widths={isCover ? [400, 800, 1552] : [144, 288]}
            sizes={isCover ? '(min-width: 56.25em) 48rem, 100vw' : '9rem'}
          />
        )}
      </ImageUpload>
      <div role="alert" className={classes.failure}>
        {failure && errorText(failure, 'CoverEditor')}
      </div>
    </>
  );
}

function AltField({ admin, userId, language, act }: Omit<CoverEditorProps, 'shown'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [change] = useChangeCampaignLanguageMutation();
  const campaignId = admin.campaign_id;
  const alt = useSaveOnBlur({
    name: `cover-alt-${campaignId}-${language}`,
    userId,
    saved: admin.texts[language]?.project_pic_alt ?? '',
    send: (text) =>
      act(() => change({ campaignId, campaignLanguageChange: { [language]: { project_pic_alt: text } } })),
  });
  return (
    <AppMantineProvider>
      <TextField
        data-alt
        label={t('editing.pictures.alt')}
        help={alt.isSaved ? t('editing.pictures.saved') : t('editing.pictures.altHelp')}
        error={alt.error && errorText(alt.error, 'CoverEditor')}
        maxLength={maxAltLength}
        lang={language}
        value={alt.value}
        onChange={({ currentTarget }) => alt.write(currentTarget.value)}
        onBlur={() => void alt.leave()}
      />
    </AppMantineProvider>
  );
}
