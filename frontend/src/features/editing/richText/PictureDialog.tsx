import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { ImageUpload } from '../../../ui/images/ImageUpload';
import { useRichTextContext } from './context';
import { pictureAddress } from './pictureAddress';
import classes from './dialogs.module.css';

/** The attributes of a picture's node. */
export interface PictureAttrs {
  /** The name of an uploaded file, or an address. */
  src?: string | null;
  alt?: string | null;
  /** In pixels, as is the height. */
  width?: number | null;
  height?: number | null;
  caption?: string | null;
}

export interface PictureDialogProps {
  isOpen: boolean;
  /** Of the picture that is edited; undefined for a new one. */
  attrs?: PictureAttrs;
  /** A file that was pasted or dropped into the text. */
  first?: File;
  onDone: (attrs: PictureAttrs) => void;
  onClose: () => void;
}

/** Asks for a picture and its alt text. */
export function PictureDialog({ isOpen, attrs, first, onDone, onClose }: PictureDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t(attrs ? 'editing.text.pictureChange' : 'editing.text.pictureAdd')}
    >
      <PictureForm attrs={attrs} first={first} onDone={onDone} />
    </Dialog>
  );
}

function PictureForm({ attrs = {}, first, onDone }: Pick<PictureDialogProps, 'attrs' | 'first' | 'onDone'>) {
  const { t } = useTranslation();
  const { pictures } = useRichTextContext();
  const [picture, setPicture] = useState<PictureAttrs>(attrs);
  const [alt, setAlt] = useState(attrs.alt ?? '');
  const finish = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation(); // React events bubble through the dialog's portal to the form around the editor.
    onDone({ ...picture, alt: alt.trim() });
  };
  return (
    <form onSubmit={finish} className={classes.form}>
      <ImageUpload
        of={pictures}
        first={first}
        onStored={({ name, width, height }) => setPicture((old) => ({ ...old, src: name, width, height }))}
      >
        {picture.src && <img src={pictureAddress(picture.src)} alt="" />}
      </ImageUpload>
      <TextField
        label={t('editing.picture.alt')}
        help={t('editing.picture.altHelp')}
        value={alt}
        maxLength={300}
        onChange={({ currentTarget }) => setAlt(currentTarget.value)}
      />
      <div className={classes.acts}>
        <Button type="submit" disabled={!picture.src}>
          {t(attrs.src ? 'editing.text.done' : 'editing.text.add')}
        </Button>
      </div>
    </form>
  );
}
