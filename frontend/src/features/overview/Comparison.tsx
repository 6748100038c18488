import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../api/content';
import {
  useAdoptContentVariationMutation,
  useDeleteContentVariationMutation,
  type ContentExperiment,
} from '../../api/editing';
import { paths } from '../../domain/paths';
import { campaignStages, takesPledges } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatCount, formatDay, formatPercent } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useNotify } from '../../ui/notify';
import { Picture } from '../../ui/Picture';
import classes from './Comparison.module.css';
import { Intervals } from './Intervals';
import part from './Part.module.css';
import { verdictOf } from './rules';

export interface ComparisonProps {
  campaign: Campaign;
  experiment?: ContentExperiment;
}

/** The A/B test of the title, tagline or cover, with its verdict. Without a test, a link to where one is started. */
export function Comparison({ campaign, experiment }: ComparisonProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isOver =
    !takesPledges(campaign) && campaign.stage > campaignStages.preparing && campaign.hold !== 'on_hold';
  if (!experiment)
    return isOver ? null : (
      <p>
        <Link to={`${paths.editCampaign(language, { ...campaign, id: campaign.campaign_id })}#variations`}>
          {t('overview.test.add')}
        </Link>
      </p>
    );
  const { field, started_at, variations } = experiment;
  const verdict = verdictOf(experiment);
  return (
    <section className={classes.root} aria-labelledby="overview-test">
      <div className={part.head}>
        <h2 id="overview-test" className={classes.title}>
          {t('overview.test.title', { field: t(`overview.test.field.${field}`) })}
        </h2>
        <Chip tone="info">{t('overview.test.since', { day: formatDay(language, started_at) })}</Chip>
      </div>
      <ul className={classes.variants}>
        {variations.map(({ variation, letter, value, paid, visitors }) => (
          <li key={variation}>
            <span className={classes.letter} data-own={variation === 0 || undefined}>
              {letter}
            </span>
            <span>
              {field === 'project_pic' ? (
                <Picture name={value} alt="" ratio={1.6} widths={[160]} sizes="10rem" shape="thumb" />
              ) : (
                <b lang={experiment.language}>{value}</b>
              )}
              <span className={classes.counts}>
                {t('overview.test.counts', {
                  paid: formatCount(language, paid),
                  visitors: formatCount(language, visitors),
                })}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {verdict.kind !== 'tooEarly' && (
        <>
          <Intervals variations={variations} />
          <p className={part.note}>{t('overview.test.width')}</p>
        </>
      )}
      <div className={classes.verdict}>
        <p>
          {verdict.kind === 'tooEarly' ? (
            <>
              <b>{t('overview.test.tooEarly')}</b> {t('overview.test.missing', { count: verdict.missing })}
            </>
          ) : (
            <b>
              {t(`overview.test.${verdict.kind}`, {
                letter: verdict.letter,
                percent: formatPercent(language, verdict.percent),
              })}
            </b>
          )}
        </p>
        <Decisions campaignId={campaign.campaign_id} experiment={experiment} />
      </div>
    </section>
  );
}

/** Buttons that end the test: stop it, or adopt the leading variation, if that is not the campaign's original. */
function Decisions({ campaignId, experiment }: { campaignId: number; experiment: ContentExperiment }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [adopt, adopting] = useAdoptContentVariationMutation();
  const [stop, stopping] = useDeleteContentVariationMutation();
  const [asked, setAsked] = useState<'adopt' | 'stop'>();
  const verdict = verdictOf(experiment);
  const others = experiment.variations.filter(({ variation }) => variation > 0);
  const best =
    verdict.kind === 'tooEarly' ? undefined : others.find(({ letter }) => letter === verdict.letter);
  const run = async () => {
    const calls =
      asked === 'adopt' && best
        ? [() => adopt({ campaignId, variation: best.variation })]
        : others.map(
            ({ variation }) =>
              () =>
                stop({ campaignId, variation }),
          );
    for (const call of calls) {
      const { error } = await call();
      if (error) {
        notify({ tone: 'error', title: t('overview.test.failed'), text: t('overview.test.failedText') });
        break;
      }
    }
    setAsked((now) => (now === asked ? undefined : now));
  };
  const words = { letter: best?.letter ?? '' };
  return (
    <div className={classes.decisions}>
      <Button variant="transparent" onClick={() => setAsked('stop')}>
        {t('overview.test.stop')}
      </Button>
      {best && (
        <Button variant={verdict.kind === 'clear' ? 'filled' : 'outline'} onClick={() => setAsked('adopt')}>
          {t('overview.test.adopt', words)}
        </Button>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked === 'adopt' ? t('overview.test.adoptTitle', words) : t('overview.test.stopTitle')}
        confirmLabel={asked === 'adopt' ? t('overview.test.adopt', words) : t('overview.test.stop')}
        cancelLabel={t('overview.test.keep')}
        isConfirming={adopting.isLoading || stopping.isLoading}
        isDestructive={asked !== 'adopt'}
        onConfirm={() => void run()}
        onCancel={() => setAsked(undefined)}
      >
        {asked === 'adopt' ? t('overview.test.adoptText') : t('overview.test.stopText')}
      </ConfirmDialog>
    </div>
  );
}
