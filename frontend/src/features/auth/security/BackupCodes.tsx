import { useState } from 'react';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import classes from './security.module.css';
import { useTexts } from './texts';

export interface BackupCodesProps {
  /** Just made; the dialog is open while there are some. */
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** Shows backup codes, once. */
export function BackupCodes({ codes, onClose }: BackupCodesProps) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  const close = () => {
    setCopied(false);
    onClose();
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText((codes ?? []).join('\n'));
      setCopied(true);
    } catch {
      // The browser does not allow it; the codes can be selected.
    }
  };
  return (
    <Dialog isOpen={codes !== undefined} onClose={close} title={texts.codes.title}>
      <div className={classes.form}>
        <p>{texts.codes.text}</p>
        <ul className={classes.codes}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={classes.acts}>
          <Button variant="outline" size="sm" onClick={() => void copy()}>
            {isCopied ? texts.codes.copied : texts.codes.copy}
          </Button>
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            {texts.codes.print}
          </Button>
        </div>
        <Button size="lg" fullWidth onClick={close}>
          {texts.codes.done}
        </Button>
      </div>
    </Dialog>
  );
}
