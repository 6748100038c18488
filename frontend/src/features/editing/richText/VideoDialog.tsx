import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useLookUpVideoMutation } from '../../../api/editing';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { ServerFaultText } from '../../../ui/FaultText';
import { TextField } from '../../../ui/fields';
import { useTextSurroundings } from './context';
import classes from './dialogs.module.css';

/** A player that goes into a text. */
export interface Player {
  type: 'video' | 'iframe';
  src: string;
}

export interface VideoDialogProps {
  isOpen: boolean;
  onDone: (player: Player) => void;
  onClose: () => void;
}

/** The players of sound that a text may hold; the server knows the same. */
const soundPlayer = /^https:\/\/(open\.spotify\.com\/|w\.soundcloud\.com\/player)/;

/** Puts a video into a text: its platform is asked whether it is there and may be shown elsewhere. */
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
  const { hasSound } = useTextSurroundings();
  const [address, setAddress] = useState('');
  const [lookUp, { error, isLoading, reset }] = useLookUpVideoMutation();
  const url = address.trim();

  const finish = async (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (hasSound && soundPlayer.test(url)) {
      onDone({ type: 'iframe', src: url });
      return;
    }
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
