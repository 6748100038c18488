import { useTranslation } from 'react-i18next';
import { useChangeExperimentImageMutation } from '../../../api/experiments';
import { TextField } from '../../../ui/fields';
import { Picture } from '../../../ui/Picture';
import { EditPart } from '../campaign/EditPart';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { ImageUpload } from '../../../ui/images/ImageUpload';
import { useAct } from '../useAct';
import { ActFailure } from './ActFailure';
import classes from './ExperimentEditor.module.css';
import { longest } from './parts';
import { useEditor } from './useExperimentEditor';

/** The picture as readers see it, and its description: the picture is saved at once, the words as they are typed. */
export function Cover() {
  const { t } = useTranslation();
  const { admin, experimentId, act, language, parts, write, leave, refused } = useEditor();
  const [change] = useChangeExperimentImageMutation();
  const { run, failure } = useAct(act);
  const part = `${language}.image_alt` as const;
  const choose = (filename: string) =>
    void run((ifMatch) =>
      change({
        experimentId,
        'If-Match': ifMatch,
        experimentImageChange: { image_collection: { cover: { filename } } },
      }),
    );
  return (
    <EditPart name={t('experimentEdit.picture')} id="image">
      <div className={classes.cover}>
        <ImageUpload
          of="me"
          isWide
          ratio={2.5}
          minWidth={1440}
          help={`${admin.image_is_drawn ? `${t('experimentEdit.drawn')} ` : ''}${t('experimentEdit.pictureHelp')}`}
          onStored={({ name }) => choose(name)}
          onRemove={admin.image_is_drawn ? undefined : () => choose('')}
        >
          <Picture
            name={admin.image}
            alt={parts[part] || t('experimentEdit.picture')}
            ratio={2.5}
            widths={[400, 800, 1440]}
            sizes="(min-width: 56.25em) 48rem, 100vw"
          />
        </ImageUpload>
        <ActFailure failure={failure} where="Cover" />
        <TextField
          label={t('experimentEdit.alt')}
          help={t('experimentEdit.altHelp')}
          maxLength={longest.image_alt}
          lang={language}
          value={parts[part]}
          onChange={({ currentTarget }) => write(part, currentTarget.value)}
          onBlur={leave}
        />
        <FieldErrorText error={refused[part]} />
      </div>
    </EditPart>
  );
}
