import type { Editor } from '@tiptap/react';
import { TextSelection } from '@tiptap/pm/state';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import classes from './dialogs.module.css';
import { linkAddress } from './document';

export interface LinkDialogProps {
  editor: Editor;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for the address of a link on the selection; without a selection also for the link's text. */
export function LinkDialog({ editor, isOpen, onClose }: LinkDialogProps) {
  const { t } = useTranslation();
  const isThere = isOpen && editor.isActive('link');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t(isThere ? 'editing.text.linkChange' : 'editing.text.linkAdd')}
    >
      <LinkForm editor={editor} onClose={onClose} />
    </Dialog>
  );
}

function LinkForm({ editor, onClose }: Omit<LinkDialogProps, 'isOpen'>) {
  const { t } = useTranslation();
  const before = String(editor.getAttributes('link').href ?? '');
  const [address, setAddress] = useState(before);
  const [words, setWords] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { doc, selection } = editor.state;
  const needsWords = !before && doc.textBetween(selection.from, selection.to) === '';

  const finish = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const href = linkAddress(address);
    if (!href) {
      setWrong(true);
      return;
    }
    const act = editor.chain().focus();
    if (needsWords)
      act
        .insertContent({
          type: 'text',
          text: words.trim() || address,
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run();
    else
      act
        .extendMarkRange('link')
        .setMark('link', { href })
        // Puts the cursor after the link: if its text stayed selected, the next key would replace it.
        .command(({ tr }) => {
          tr.setSelection(TextSelection.create(tr.doc, tr.selection.to));
          return true;
        })
        .run();
    onClose();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
    onClose();
  };
  return (
    <form onSubmit={finish} noValidate className={classes.form}>
      <TextField
        label={t('editing.text.linkAddress')}
        help={t('editing.text.linkHelp')}
        error={isWrong ? t('editing.text.linkWrong') : undefined}
        inputMode="url"
        autoComplete="off"
        data-autofocus
        value={address}
        onChange={({ currentTarget }) => {
          setAddress(currentTarget.value);
          setWrong(false);
        }}
      />
      {needsWords && (
        <TextField
          label={t('editing.text.linkWords')}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
      )}
      <div className={classes.acts}>
        {before && (
          <Button variant="transparent" color="danger" onClick={remove}>
            {t('editing.text.linkRemove')}
          </Button>
        )}
        <Button type="submit">{t(before ? 'editing.text.done' : 'editing.text.add')}</Button>
      </div>
    </form>
  );
}
