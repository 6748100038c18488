import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { people, useUserProfileQuery, type PublicProfile } from '../../api/people';
import { selectUser } from '../../api/session';
import { foreignLang } from '../../domain/languages';
import { safeAddress, shownAddress } from '../../domain/links';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatMonth } from '../../i18n/format';
import { Chip } from '../../ui/Chip';
import { CircleCheckIcon } from '../../ui/icons';
import { LinkKindIcon } from '../../ui/LinkKindIcon';
import { idParam, notFound, type PageLoaderArgs } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { TextLink } from '../../ui/TextLink';
import { Unread } from '../../ui/Unread';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './ProfilePage.module.css';
import { PublicWork } from './PublicWork';

/** Waits for the person, so that who has no public page is not found. */
export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const userId = idParam(params.userId);
  const answer = await dispatch(
    people.endpoints.userProfile.initiate({ userId, language }, { subscribe: false }),
  );
  if (isApiError(answer.error) && answer.error.http === 404) throw notFound();
}

/** A person's public page. Parts without anything in them are left out. */
export function Component() {
  const language = useLanguage();
  const userId = Number(useParams().userId);
  const call = useUserProfileQuery({ userId, language });
  const { currentData } = call;
  const profile = currentData?.profile;
  usePageTitle(profile ? nameOf(profile) : '');
  if (!profile)
    return (
      <div className={`tk-container ${classes.root}`}>
        <Unread of={call} where="ProfilePage" lines={10} />
      </div>
    );
  return (
    <div className={`tk-container ${classes.root}`}>
      <Who profile={profile} />
      <PublicWork profile={profile} />
    </div>
  );
}

const nameOf = ({ first_name, last_name }: PublicProfile) => `${first_name} ${last_name}`;

function Who({ profile }: { profile: PublicProfile }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isOwn = useSelector(selectUser)?.user_id === profile.user_id;
  const lang = foreignLang(profile.language, language);
  return (
    <div>
      <Picture
        name={profile.image_collection.profile.filename}
        alt=""
        ratio={1}
        widths={[200, 400]}
        sizes="12.5rem"
        shape="round"
        isFirst
        className={classes.picture}
      />
      <h1 className={classes.name}>{nameOf(profile)}</h1>
      {profile.settings.verified && (
        <p className={classes.verified}>
          <CircleCheckIcon size={16} /> {t('people.verified')}
        </p>
      )}
      {profile.short_description && (
        <p className={classes.about} lang={lang}>
          {profile.short_description}
        </p>
      )}
      {isOwn && (
        <Link to={paths.profile(language, 'me')} className={classes.edit}>
          {t('people.edit')}
        </Link>
      )}
      {profile.links.length > 0 && (
        <ul aria-label={t('people.links')} className={classes.links}>
          {profile.links.map(({ url, title }, place) => (
            // Two links may be the same.
            <li key={`${place} ${url}`}>
              <LinkKindIcon address={url} />
              <TextLink href={safeAddress(url)}>{title || shownAddress(url)}</TextLink>
            </li>
          ))}
        </ul>
      )}
      {profile.skills.length > 0 && (
        <>
          <h2 className={classes.label}>{t('people.skills')}</h2>
          <ul aria-label={t('people.skills')} className={classes.chips} lang={lang}>
            {profile.skills.map((skill) => (
              <li key={skill}>
                <Chip tone="spruce">{skill}</Chip>
              </li>
            ))}
          </ul>
        </>
      )}
      {profile.tags.length > 0 && (
        <ul aria-label={t('people.tags')} className={classes.chips}>
          {profile.tags.map(({ id, label }) => (
            <li key={id}>
              <Link to={paths.profiles(language, { tag: id })} className={classes.tag}>
                <Chip>{label}</Chip>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {profile.counts.backed !== undefined && profile.counts.backed > 0 && (
        <p className={classes.small}>{t('people.backed', { count: profile.counts.backed })}</p>
      )}
      <p className={`${classes.small} ${classes.since}`}>
        {t('people.since', {
          month: formatMonth(language, profile.joined_at.slice(0, 7)),
          name: profile.first_name,
        })}
      </p>
    </div>
  );
}
