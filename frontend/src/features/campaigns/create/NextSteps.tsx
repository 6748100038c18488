import { useTranslation } from 'react-i18next';
import classes from './CreateCampaignPage.module.css';

const steps = ['draft', 'review', 'opens'] as const;

/** What happens after the form is finished (draft, review, opening), and that creating a campaign costs nothing. */
export function NextSteps() {
  const { t } = useTranslation();
  return (
    <>
      <section aria-labelledby="then" className={classes.then}>
        <h2 id="then" className={classes.thenTitle}>
          {t('begin.then.title')}
        </h2>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step}>
              <b>{t(`begin.then.${step}.title`)}</b>
              <span>{t(`begin.then.${step}.text`)}</span>
            </li>
          ))}
        </ol>
      </section>
      <p className={classes.free}>
        <b>{t('begin.free.title')}</b> {t('begin.free.text')}
      </p>
    </>
  );
}
