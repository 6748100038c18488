import { useTranslation } from 'react-i18next';
import { useOwnMenuQuery } from '../../api/own';
import type { LocalUser } from '../../api/session';
import { Picture } from '../../ui/Picture';
import { useTexts } from '../../ui/useTexts';
import classes from './Face.module.css';
import { menuTexts } from './menuTexts';

export interface FaceProps {
  user: LocalUser;
  /** large: in the menu, without the dot. */
  size?: 'large';
}

/** The reader's picture, or their initials while there is none, with a dot when something waits for them. */
export function Face({ user, size }: FaceProps) {
  const { t } = useTranslation();
  const { data } = useOwnMenuQuery();
  const waiting = size ? 0 : (data?.waiting ?? 0);
  const hasTexts = useTexts(waiting > 0 ? menuTexts : undefined);
  return (
    <span className={`${classes.root} ${size ? classes.large : ''}`}>
      {data ? (
        <Picture
          name={data.image_filename}
          alt=""
          ratio={1}
          widths={[64, 128]}
          sizes={size ? '3.25rem' : '2.125rem'}
          shape="round"
          isFirst
        />
      ) : (
        <span className={classes.initials} aria-hidden="true">
          {initial(user.first_name)}
          {initial(user.last_name)}
        </span>
      )}
      {waiting > 0 && <span className={classes.dot} />}
      {waiting > 0 && hasTexts && (
        <span className="tk-visually-hidden">{t('menu.waiting', { count: waiting })}, </span>
      )}
    </span>
  );
}

const initial = (name: string) => String.fromCodePoint(name.codePointAt(0) ?? 0x20).trim();
