import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useCreateExperimentMutation, type NewExperiment } from '../../../api/experiments';
import { selectEnd, selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { required } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { TextareaField, TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { askToSignIn, selectSignInPrompt } from '../../../ui/signInPrompt';
import { useAppForm } from '../../../ui/useAppForm';
import { usePageTitle } from '../../../ui/usePageTitle';
import type { Unsaved } from '../../../ui/saving/unsaved';
import { isRefusal } from '../../../ui/saving/failures';
import { localDraft } from '../../../ui/saving/localDraft';
import { StagePath } from '../../../ui/experiments/StagePath';
import classes from './CreateExperimentPage.module.css';
import type { ExperimentParts } from './parts';

interface Values {
  title: string;
  short_description: string;
  place: string;
}

/** Where an experiment begins. */
export function Component() {
  const { t } = useTranslation();
  usePageTitle(t('beginExperiment.title'));
  const end = useSelector(selectEnd);
  const [{ round, endBefore }, setForm] = useState({ round: 0, endBefore: end });
  if (end !== endBefore) setForm({ round: end === 'signedOut' ? round + 1 : round, endBefore: end });
  return (
    <AppMantineProvider>
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('beginExperiment.title')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{t('beginExperiment.lead')}</p>
        {/* After signing out the key makes a new form with empty state. */}
        <BeginForm key={round} />
      </div>
    </AppMantineProvider>
  );
}

/** What the device keeps: what was typed, and what was sent with its idempotency key until the answer is there. */
interface Kept extends Values {
  /** Who was signed in when it was typed last, if anybody was. */
  userId?: number;
  sent?: { key: string; body: NewExperiment };
}

/** What is typed stays on the device until the experiment is there: through a failure, a reload and signing in. */
const draft = localDraft<Kept>(0, 'create-experiment');

/**
 * The draft, unless it is of another person than who is signed in, whose session has ended. While nobody is signed in it
 * is read: whoever typed it goes on.
 */
function readOwn(userId: number | undefined): Kept | undefined {
  const kept = draft.read();
  return kept?.userId === undefined || userId === undefined || kept.userId === userId ? kept : undefined;
}

function typedBefore(userId: number | undefined): Values {
  const { title = '', short_description = '', place = '' } = readOwn(userId) ?? {};
  return { title, short_description, place };
}

/** Leaves to the editor, as unsaved, what was typed after the request that made the experiment was sent. */
function keepForEditing(
  userId: number,
  { experiment_id, version }: { experiment_id: number; version: number },
  sent: NewExperiment,
  now: NewExperiment,
) {
  const { language = 'fi', title = '', short_description = '', geographic_location: location } = now;
  const parts: Partial<ExperimentParts> = {
    ...(title !== sent.title && { [`${language}.title`]: title }),
    ...(short_description !== sent.short_description && {
      [`${language}.short_description`]: short_description,
    }),
    ...(location?.place !== sent.geographic_location?.place && { location: location ?? { place: '' } }),
  };
  if (Object.keys(parts).length > 0)
    localDraft<Unsaved<ExperimentParts>>(userId, `experiment-${experiment_id}`).write({ version, parts });
}

function BeginForm() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  const userId = user?.user_id;
  const { isOpen } = useSelector(selectSignInPrompt);
  const [create] = useCreateExperimentMutation();
  // It was sent without an account: it goes on once there is one.
  const isWaiting = useRef(false);
  const [failure, setFailure] = useState<string>();

  const form = useAppForm<Values>({
    initialValues: typedBefore(userId),
    rules: { title: required },
    onSubmit: async (values) => {
      const { title, short_description } = values;
      setFailure(undefined);
      if (!user) {
        isWaiting.current = true;
        dispatch(askToSignIn({ reason: 'create' }));
        return;
      }
      const place = values.place.trim();
      const body: NewExperiment = { stage: 0, title, short_description, language };
      if (place) body.geographic_location = { place };
      // What was sent without an answer may be there already: it is sent as it was, and what is typed now comes after it.
      const sent = readOwn(user.user_id)?.sent ?? { key: crypto.randomUUID(), body };
      draft.write({ ...values, userId: user.user_id, sent });
      const { data, error } = await create({ 'Idempotency-Key': sent.key, newExperiment: sent.body });
      if (!data) {
        if (!isApiError(error)) return;
        if (isRefusal(error)) draft.write({ ...values, userId: user.user_id });
        const rest = form.showFieldErrors(error.fields ?? []);
        if (!error.fields || rest.length > 0) setFailure(errorText(error, 'CreateExperiment'));
        return;
      }
      keepForEditing(user.user_id, data.experiment, sent.body, body);
      draft.write();
      notify({ tone: 'success', title: t('beginExperiment.begun') });
      const { experiment_id, slug } = data.experiment;
      void navigate(paths.editExperiment(language, { id: experiment_id, slug }), { replace: true });
    },
  });
  const { values, formProps } = form;
  useEffect(() => {
    const kept = readOwn(userId);
    if (Object.values(values).some(Boolean))
      draft.write({ ...values, userId: userId ?? kept?.userId, sent: kept?.sent });
  }, [values, userId]);
  useEffect(() => {
    if (!isWaiting.current || isOpen) return;
    isWaiting.current = false;
    if (user) formProps.ref.current?.requestSubmit();
  }, [isOpen, user, formProps]);

  return (
    <div className={classes.columns}>
      <form {...formProps} className={classes.form}>
        <TextField
          label={t('beginExperiment.name')}
          help={t('beginExperiment.nameHelp')}
          maxLength={80}
          {...form.field('title')}
        />
        <TextareaField
          label={t('beginExperiment.short')}
          help={t('beginExperiment.shortHelp')}
          maxLength={300}
          autosize
          minRows={2}
          isOptional
          {...form.field('short_description')}
        />
        <TextField
          label={t('beginExperiment.place')}
          help={t('beginExperiment.placeHelp')}
          maxLength={100}
          isOptional
          {...form.field('place')}
        />
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
        <Button type="submit" size="lg" loading={form.isSubmitting}>
          {t('beginExperiment.submit')}
        </Button>
      </form>
      <aside aria-label={t('beginExperiment.then')} className={classes.side}>
        <h2>{t('beginExperiment.then')}</h2>
        <StagePath stage={0} look="upright" />
        <p>{t('beginExperiment.thenText')}</p>
      </aside>
    </div>
  );
}
