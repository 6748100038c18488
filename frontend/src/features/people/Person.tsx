import { useTranslation } from 'react-i18next';
import type { UserPreview } from '../../api/people';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { CardTitle } from '../../ui/CardTitle';
import { Chip } from '../../ui/Chip';
import { Picture } from '../../ui/Picture';
import classes from './PeoplePage.module.css';

export interface PersonProps {
  person: UserPreview;
  isFirst?: boolean;
}

const shownTags = 3;

/** Somebody in the index. The whole place is one link. */
export function Person({ person, isFirst }: PersonProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaigns, experiments } = person.counts;
  const counts = [
    campaigns > 0 && t('people.campaigns', { count: campaigns }),
    experiments > 0 && t('people.experiments', { count: experiments }),
  ].filter(Boolean);
  return (
    <li className={classes.person}>
      <Picture
        name={person.image_filename}
        alt=""
        ratio={1}
        widths={[88, 176]}
        sizes="5.5rem"
        shape="round"
        isFirst={isFirst}
        className={classes.picture}
      />
      <div className={classes.words}>
        <CardTitle to={paths.profile(language, person.user_id)} level={2} className={classes.name}>
          {person.first_name} {person.last_name}
        </CardTitle>
        {person.short_description && (
          <p className={classes.text} lang={foreignLang(person.language, language)}>
            {person.short_description}
          </p>
        )}
        {(person.tags.length > 0 || counts.length > 0) && (
          <p className={classes.facts}>
            {person.tags.slice(0, shownTags).map(({ id, label }) => (
              <Chip key={id}>{label}</Chip>
            ))}
            {counts.length > 0 && <span>{counts.join(' · ')}</span>}
          </p>
        )}
      </div>
    </li>
  );
}
