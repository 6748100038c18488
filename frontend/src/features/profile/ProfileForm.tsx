import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { isApiError, type ApiError } from '../../api/apiError';
import {
  useChangeProfileMutation,
  useLazyOwnProfileQuery,
  useSetProfileLinksMutation,
  useSetProfileSkillsMutation,
  useSetProfileTagsMutation,
  type Profile,
} from '../../api/people';
import { selectUser, userChanged } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { PencilIcon } from '../../ui/editIcons';
import { TextareaField, TextField } from '../../ui/fields';
import { useNotify } from '../../ui/notify';
import { askToSignIn } from '../../ui/signInPrompt';
import { UnsavedGuard } from '../../ui/UnsavedGuard';
import { useAppForm } from '../../ui/useAppForm';
import { LinkRows } from './LinkRows';
import { OwnPicture } from './OwnPicture';
import classes from './ProfileForm.module.css';
import { Skills, Topics } from './Skills';
import {
  changedNames,
  filledRows,
  isAddress,
  linksChange,
  most,
  profileChange,
  profileRules,
  valuesOf,
  type ProfileValues,
} from './values';

/** What is saved together by the button at the foot. Each part goes by its own call, and only if it has changed. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const [{ round, saved }, setStart] = useState<{ round: number; saved: Profile }>({
    round: 0,
    saved: profile,
  });
  // After saving and after discarding the form begins anew, with what was saved last; while it is open, reading the profile
  // anew does not touch what is typed.
  return (
    <Form
      key={round}
      profile={profile}
      saved={saved}
      onEnd={(next = saved) => setStart({ round: round + 1, saved: next })}
    />
  );
}

interface FormProps {
  profile: Profile;
  saved: Profile;
  onEnd: (saved?: Profile) => void;
}

function Form({ profile, saved: begun, onEnd }: FormProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [saved] = useState(() => valuesOf(begun));
  const [badLinks, setBadLinks] = useState<readonly number[]>([]);
  const save = useSave();
  const form = useAppForm<ProfileValues>({
    initialValues: saved,
    rules: profileRules,
    onSubmit: async (values) => {
      const bad = filledRows(values.links).filter(({ url }) => !isAddress(url));
      setBadLinks(bad.map(({ id }) => id));
      if (bad.length > 0) return;
      const { refused, profile: now } = await save(changedNames(saved, values), values, begun.version);
      if (!refused) {
        notify({ tone: 'success', title: t('people.me.saved'), topic: 'profile' });
        onEnd(now);
        return;
      }
      setBadLinks(rowsNamed(refused, filledRows(values.links)));
      form.showFieldErrors(refused.fields ?? []);
    },
  });
  const count = changedNames(saved, form.values).length;
  const introduction = Array.from(form.values.short_description).length;

  return (
    <form {...form.formProps} className={classes.form}>
      <UnsavedGuard isOn={count > 0 && !form.isSubmitting} />
      <section aria-labelledby="about-you" className={classes.part}>
        <h2 id="about-you">{t('people.me.about')}</h2>
        <OwnPicture profile={profile} />
        <div className={classes.pair}>
          <TextField
            label={t('people.me.firstName')}
            autoComplete="given-name"
            {...form.field('first_name')}
          />
          <TextField
            label={t('people.me.lastName')}
            autoComplete="family-name"
            {...form.field('last_name')}
          />
          <TextField
            label={t('people.me.phone')}
            isOptional
            type="tel"
            autoComplete="tel"
            help={t('people.me.phoneHelp')}
            {...form.field('phone')}
          />
          <TextField
            label={t('people.me.email')}
            type="email"
            readOnly
            value={profile.email}
            help={t('people.me.emailHelp')}
          />
        </div>
        <TextareaField
          label={t('people.me.short')}
          autosize
          minRows={2}
          help={t('people.me.shortCount', { count: introduction, max: most.introduction })}
          {...form.field('short_description')}
        />
      </section>
      <section aria-labelledby="links-and-skills" className={classes.part}>
        <h2 id="links-and-skills">{t('people.me.linksTitle')}</h2>
        <LinkRows
          rows={form.values.links}
          bad={badLinks}
          onChange={(links) => form.setValue('links', links)}
        />
        <Skills skills={form.values.skills} onChange={(skills) => form.setValue('skills', skills)} />
        <Topics tags={form.values.tags} onChange={(tags) => form.setValue('tags', tags)} />
      </section>
      {count > 0 && (
        <div className={classes.bar} data-foot>
          <p role="status" className={classes.count}>
            <PencilIcon size={16} /> {t('people.me.unsaved', { count })}
          </p>
          <Button variant="transparent" onClick={() => onEnd()}>
            {t('people.me.discard')}
          </Button>
          <Button type="submit" loading={form.isSubmitting}>
            {t('people.me.save')}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The version that a change is meant for. */
interface OnVersion {
  'If-Match': string;
}

/** The rows whose addresses the server refuses, by their place among those that were sent. */
function rowsNamed({ fields = [] }: ApiError, sent: readonly { id: number }[]): number[] {
  return fields.flatMap(({ path }) => {
    const place = /^links\[(\d+)\]/.exec(path)?.[1];
    const row = place === undefined ? undefined : sent[Number(place)];
    return row ? [row.id] : [];
  });
}

/** The part of the form that the history names by a path, such as links[0].url. */
const nameOf = (path: string) => (path === 'meta.phone' ? 'phone' : path.replace(/[.[].*$/, ''));

/**
 * Returns the function that saves what has changed, call by call; it ends with the first refusal, which is told. What
 * another tab has changed meanwhile is in the way only if this form changes it too.
 */
function useSave() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const errorText = useErrorText();
  const user = useSelector(selectUser);
  const [changeProfile] = useChangeProfileMutation();
  const [setLinks] = useSetProfileLinksMutation();
  const [setSkills] = useSetProfileSkillsMutation();
  const [setTags] = useSetProfileTagsMutation();
  const [read] = useLazyOwnProfileQuery();
  const language = useLanguage();
  // The version that a refusal has told of.
  const newer = useRef<number>(undefined);

  return async (
    changed: readonly (keyof ProfileValues)[],
    values: ProfileValues,
    begun: number,
  ): Promise<{ refused?: ApiError; profile?: Profile }> => {
    let profile: Profile | undefined;
    let version = newer.current && newer.current > begun ? newer.current : begun;
    const texts = profileChange(changed, values);
    const calls = [
      texts && ((on: OnVersion) => changeProfile({ ...on, profileChange: texts })),
      changed.includes('links') &&
        ((on: OnVersion) => setLinks({ ...on, linksChange: linksChange(values.links) })),
      changed.includes('skills') &&
        ((on: OnVersion) => setSkills({ ...on, skillsChange: { skills: [...values.skills] } })),
      changed.includes('tags') &&
        ((on: OnVersion) => setTags({ ...on, tagsChange: { tags: [...values.tags] } })),
    ];
    for (const call of calls) {
      if (!call) continue;
      let { data, error } = await call({ 'If-Match': `"${version}"` });
      if (isApiError(error) && error.http === 412) {
        const theirs = (error.fields ?? []).map(({ path }) => nameOf(path));
        const now = (await read({ language })).data?.profile.version;
        newer.current = now; // Whoever presses again has been told.
        if (now && !changed.some((name) => theirs.includes(name)))
          ({ data, error } = await call({ 'If-Match': `"${now}"` }));
      }
      profile = data?.profile ?? profile;
      version = data?.profile.version ?? version;
      if (data) newer.current = version; // also when a later call fails, and the page is saved again
      if (!isApiError(error)) continue;
      notify({
        tone: 'error',
        title: errorText(error, 'ProfileForm'),
        text: t('people.me.tooMany'),
        topic: 'profile',
      });
      if (error.http === 401) dispatch(askToSignIn());
      return { refused: error };
    }
    if (user && texts)
      dispatch(
        userChanged({ ...user, first_name: values.first_name.trim(), last_name: values.last_name.trim() }),
      );
    return { profile };
  };
}
