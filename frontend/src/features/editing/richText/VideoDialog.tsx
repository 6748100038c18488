import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useLookUpVideoMutation } from '../../../api/editing';
import { playerAddress } from '../../../domain/playerAddress';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { ServerFaultText } from '../../../ui/FaultText';
import { TextField } from '../../../ui/fields';
import { useRichTextContext } from './context';
import classes from './dialogs.module.css';

/** The node of a player. An iframe is an audio player. */
export interface Player {
  type: 'video' | 'iframe';
  src: string;
}

export interface VideoDialogProps {
  isOpen: boolean;
  onDone: (player: Player) => void;
  onClose: () => void;
}

/** Asks for a video's address or its code for embedding. The server looks it up at its platform: it has to exist and to be embeddable. */
export function VideoDialog({ isOpen, onDone, onClose }: VideoDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('editing.text.videoAdd')}>
      <VideoForm onDone={onDone} />
    </Dialog>
  );
}

function VideoForm({ onDone }: Pick<VideoDialogProps, 'onDone'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { hasSound } = useRichTextContext();
  const [address, setAddress] = useState('');
  const [lookUp, { error, isLoading, reset }] = useLookUpVideoMutation();

  const finish = async (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const found = playerAddress(address);
    if (hasSound && found?.isSound) {
      onDone({ type: 'iframe', src: found.address });
      return;
    }
    const url = found?.address ?? address.trim();
    const { data } = await lookUp({ videoLookup: { url } });
    if (data) onDone({ type: 'video', src: data.video.url });
  };
  const fault = isApiError(error) ? error.fields?.[0] : undefined;
  return (
    <form onSubmit={(event) => void finish(event)} noValidate className={classes.form}>
      <TextField
        label={t('editing.text.videoAddress')}
        help={t(hasSound ? 'editing.text.videoOrSoundHelp' : 'editing.text.videoHelp')}
        error={
          fault ? <ServerFaultText fault={fault} /> : isApiError(error) && errorText(error, 'VideoDialog')
        }
        inputMode="url"
        autoComplete="off"
        data-autofocus
        value={address}
        onChange={({ currentTarget }) => {
          setAddress(currentTarget.value);
          reset();
        }}
      />
      <div className={classes.acts}>
        <Button type="submit" loading={isLoading}>
          {t('editing.text.add')}
        </Button>
      </div>
    </form>
  );
}
