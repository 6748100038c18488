import type { ReactNode } from 'react';
import classes from './FileButton.module.css';

export interface FileButtonProps {
  /** As in <input accept>. */
  accept: string;
  onFile: (file: File) => void;
  icon?: ReactNode;
  isDisabled?: boolean;
  /** overlay: for use on top of a picture. */
  look?: 'outline' | 'overlay';
  children: ReactNode;
}

/** A button that opens the file chooser: a native file input, styled as a button. */
export function FileButton({
  accept,
  onFile,
  icon,
  isDisabled,
  look = 'outline',
  children,
}: FileButtonProps) {
  return (
    <label className={`${classes.root} ${classes[look]}`} data-disabled={isDisabled ? true : undefined}>
      <input
        type="file"
        className="tk-visually-hidden"
        accept={accept}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          currentTarget.value = ''; // So that choosing the same file again is a change, too.
        }}
      />
      {icon}
      <span>{children}</span>
    </label>
  );
}
