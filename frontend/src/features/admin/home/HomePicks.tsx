import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useFrontPageQuery,
  useSetFrontPageMutation,
  type FrontPageAnswer,
  type FrontPagePick,
} from '../../../api/staff';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { useNotify } from '../../../ui/notify';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { UnsavedGuard } from '../../../ui/UnsavedGuard';
import classes from './HomePicks.module.css';
import { PickList } from './PickList';
import { SearchCampaigns, SearchExperiments } from './SearchPicks';

/** What is at the top of the home page: campaigns and experiments in an order, with days if they have some. */
export function HomePicks() {
  const errorText = useErrorText();
  const language = useLanguage();
  const { currentData, error, refetch } = useFrontPageQuery({ language });
  if (!currentData)
    return error ? (
      <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'AdminHome')}</ErrorState>
    ) : (
      <LinesSkeleton lines={8} />
    );
  return <Picks saved={currentData} onReload={refetch} />;
}

interface Chosen {
  campaigns: readonly FrontPagePick[];
  experiments: readonly FrontPagePick[];
}

const choices = (picks: readonly FrontPagePick[]) =>
  picks.map(({ id, first_day, last_day }) => ({ id, first_day, last_day }));

const same = (a: Chosen, b: Chosen) =>
  JSON.stringify([choices(a.campaigns), choices(a.experiments)]) ===
  JSON.stringify([choices(b.campaigns), choices(b.experiments)]);

function Picks({ saved, onReload }: { saved: FrontPageAnswer; onReload: () => unknown }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const [set, { isLoading }] = useSetFrontPageMutation();
  // What has been chosen here stays when the list is read again, as after somebody else has changed it.
  const [chosen, setChosen] = useState<Chosen>();
  const [failure, setFailure] = useState<{ text: string; isOutdated: boolean }>();
  const shown: Chosen = chosen ?? saved;
  const isChanged = chosen !== undefined && !same(chosen, saved);
  const wrong = [...shown.campaigns, ...shown.experiments].find(
    ({ first_day, last_day }) => first_day && last_day && last_day < first_day,
  );

  const save = async () => {
    setFailure(undefined);
    if (wrong) {
      setFailure({ text: t('staff.home.wrongDays', { title: wrong.title }), isOutdated: false });
      return;
    }
    const { error } = await set({
      language,
      'If-Match': `"${saved.version}"`,
      frontPageChange: { campaigns: choices(shown.campaigns), experiments: choices(shown.experiments) },
    });
    if (!error) {
      setChosen(undefined);
      notify({ tone: 'success', title: t('staff.home.saved'), topic: 'home' });
    } else {
      const isOutdated = isApiError(error) && error.status === 'changed_meanwhile';
      setFailure({
        text: isApiError(error) ? errorText(error, 'AdminHome') : t('staff.labels.failed'),
        isOutdated,
      });
      if (isOutdated) void onReload();
    }
  };
  const change = (part: Partial<Chosen>) => {
    setFailure(undefined);
    setChosen({ ...shown, ...part });
  };
  return (
    <form
      noValidate
      className={classes.root}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <section aria-labelledby="picked-campaigns" className={classes.part}>
        <h2 id="picked-campaigns">{t('staff.home.campaigns')}</h2>
        <p className={classes.help}>{t('staff.home.campaignsHelp')}</p>
        <PickList kind="campaigns" picks={shown.campaigns} onChange={(campaigns) => change({ campaigns })} />
        <SearchCampaigns
          chosen={shown.campaigns}
          onAdd={(pick) => change({ campaigns: [...shown.campaigns, pick] })}
        />
      </section>
      <section aria-labelledby="picked-experiments" className={classes.part}>
        <h2 id="picked-experiments">{t('staff.home.experiments')}</h2>
        <p className={classes.help}>{t('staff.home.experimentsHelp')}</p>
        <PickList
          kind="experiments"
          picks={shown.experiments}
          onChange={(experiments) => change({ experiments })}
        />
        <SearchExperiments
          chosen={shown.experiments}
          onAdd={(pick) => change({ experiments: [...shown.experiments, pick] })}
        />
      </section>
      <div className={classes.acts}>
        <p role="alert" className={classes.failure}>
          {failure?.text} {failure?.isOutdated && t('staff.home.outdated')}
        </p>
        {isChanged && (
          <Button variant="transparent" onClick={() => setChosen(undefined)}>
            {t('staff.home.undo')}
          </Button>
        )}
        <Button type="submit" loading={isLoading} disabled={!isChanged}>
          {t('staff.home.save')}
        </Button>
      </div>
      <UnsavedGuard isOn={isChanged} />
    </form>
  );
}
