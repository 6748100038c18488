import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useCreateExperimentMutation } from '../../../api/experiments';
import { selectUser } from '../../../api/session';
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
import { localDraft } from '../localDraft';
import { StagePath } from '../../../ui/experiments/StagePath';
import classes from './CreateExperimentPage.module.css';

interface Values {
  title: string;
  short_description: string;
  place: string;
}

/** Where an experiment begins. */
export function Component() {
  const { t } = useTranslation();
  usePageTitle(t('beginExperiment.title'));
  return (
    <AppMantineProvider>
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('beginExperiment.title')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{t('beginExperiment.lead')}</p>
        <BeginForm />
      </div>
    </AppMantineProvider>
  );
}

/** What is typed stays on the device until the experiment is there: through a failure, a reload and signing in. */
const draft = localDraft<Values>(0, 'create-experiment');

function BeginForm() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  const { isOpen } = useSelector(selectSignInPrompt);
  const [create] = useCreateExperimentMutation();
  // It was sent without an account: it goes on once there is one.
  const isWaiting = useRef(false);
  const [failure, setFailure] = useState<string>();

  const form = useAppForm<Values>({
    initialValues: { title: '', short_description: '', place: '', ...draft.read() },
    rules: { title: required },
    onSubmit: async ({ title, short_description, place }) => {
      setFailure(undefined);
      if (!user) {
        isWaiting.current = true;
        dispatch(askToSignIn({ reason: 'create' }));
        return;
      }
      const geographic_location = place.trim() ? { place: place.trim() } : undefined;
      const { data, error } = await create({
        newExperiment: { stage: 0, title, short_description, language, geographic_location },
      });
      if (!data) {
        if (isApiError(error)) {
          const rest = form.showFieldErrors(error.fields ?? []);
          if (!error.fields || rest.length > 0) setFailure(errorText(error, 'CreateExperiment'));
        }
        return;
      }
      draft.write();
      notify({ tone: 'success', title: t('beginExperiment.begun') });
      const { experiment_id, slug } = data.experiment;
      void navigate(paths.editExperiment(language, { id: experiment_id, slug }), { replace: true });
    },
  });
  const { values, formProps } = form;
  useEffect(() => {
    if (Object.values(values).some(Boolean)) draft.write(values);
  }, [values]);
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
