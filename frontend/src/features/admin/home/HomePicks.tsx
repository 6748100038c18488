import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type FieldError } from '../../../api/apiError';
import { readAnew } from '../../../api/readAnew';
import {
  useFrontPageQuery,
  useSetFrontPageMutation,
  type FrontPageAnswer,
  type FrontPagePick,
} from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { dayInWords } from '../../../i18n/dayInWords';
import { useErrorText } from '../../../i18n/errorText';
import { useNotify } from '../../../ui/notify';
import { Unread } from '../../../ui/Unread';
import { SaveBar } from '../SaveBar';
import classes from './HomePicks.module.css';
import { PickList } from './PickList';
import { SearchCampaigns, SearchExperiments } from './SearchPicks';

/** What is at the top of the home page: campaigns and experiments in an order, with days if they have some. */
export function HomePicks() {
  const language = useLanguage();
  const call = useFrontPageQuery({ language });
  const { currentData } = call;
  if (!currentData) return <Unread of={call} where="AdminHome" lines={8} />;
  return <Picks saved={currentData} />;
}

interface Chosen {
  campaigns: readonly FrontPagePick[];
  experiments: readonly FrontPagePick[];
}

const kinds = ['campaigns', 'experiments'] as const;

const choices = (picks: readonly FrontPagePick[]) =>
  picks.map(({ id, first_day, last_day }) => ({ id, first_day, last_day }));

const same = (a: Chosen, b: Chosen) =>
  JSON.stringify([choices(a.campaigns), choices(a.experiments)]) ===
  JSON.stringify([choices(b.campaigns), choices(b.experiments)]);

function Picks({ saved }: { saved: FrontPageAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [set] = useSetFrontPageMutation();
  // What has been chosen here, from what was saved then. It stays when the list is read again, as after somebody else has
  // changed it.
  const [draft, setDraft] = useState<Chosen & { from: Chosen }>();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState('');
  const [faults, setFaults] = useState<readonly FieldError[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const shown: Chosen = draft ?? saved;
  const isChanged = draft !== undefined && !same(draft, saved);
  const isOutdated = isChanged && !same(draft.from, saved);
  useEffect(() => {
    if (faults.length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-is-gone]')?.focus();
  }, [faults]);

  const save = async () => {
    setFailure('');
    const wrong = kinds.flatMap((kind) => wrongDays(kind, shown[kind], (day) => dayInWords(language, day)));
    setFaults(wrong);
    if (wrong.length > 0) return;
    const sent = shown;
    setSaving(true);
    const { error } = await set({
      language,
      'If-Match': `"${saved.version}"`,
      frontPageChange: { campaigns: choices(sent.campaigns), experiments: choices(sent.experiments) },
    });
    await dispatch(readAnew(['FrontPage']));
    setSaving(false);
    if (error) {
      setFailure(isApiError(error) ? errorText(error, 'AdminHome') : t('staff.labels.failed'));
      if (isApiError(error) && error.status === 'invalid_fields') setFaults(error.fields ?? []);
      return;
    }
    // What has been chosen while it was saved stays.
    setDraft((now) => (now === sent || !now ? undefined : { ...now, from: sent }));
    notify({ tone: 'success', title: t('staff.home.saved'), topic: 'home' });
  };
  const change = (part: Partial<Chosen>) => {
    setFailure('');
    setFaults([]);
    const next = { ...shown, ...part, from: draft?.from ?? saved };
    setDraft(same(next, saved) ? undefined : next);
  };
  const undo = () => {
    setFailure('');
    setFaults([]);
    setDraft(undefined);
  };
  return (
    <form
      ref={form}
      noValidate
      className={classes.root}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {kinds.map((kind) => {
        const Search = kind === 'campaigns' ? SearchCampaigns : SearchExperiments;
        return (
          <section key={kind} aria-labelledby={`picked-${kind}`} className={classes.part}>
            <h2 id={`picked-${kind}`}>{t(`staff.home.${kind}`)}</h2>
            <p className={classes.help}>{t(`staff.home.${kind}Help`)}</p>
            <PickList
              kind={kind}
              picks={shown[kind]}
              faults={faults}
              onChange={(picks) => change({ [kind]: picks })}
            />
            <Search chosen={shown[kind]} onAdd={(pick) => change({ [kind]: [...shown[kind], pick] })} />
          </section>
        );
      })}
      <SaveBar
        failure={
          <>
            {failure} {isOutdated && t('staff.home.outdated', { titles: titles(saved) })}
          </>
        }
        isChanged={isChanged}
        isSaving={isSaving}
        saveLabel={t('staff.home.save')}
        onUndo={undo}
      />
    </form>
  );
}

const titles = ({ campaigns, experiments }: Chosen) =>
  [...campaigns, ...experiments].map(({ title }) => title).join(', ') || '–';

/** The faults of picks whose last day is before the first, as the server has them. */
const wrongDays = (
  kind: string,
  picks: readonly FrontPagePick[],
  inWords: (day: string) => string,
): FieldError[] =>
  picks.flatMap(({ first_day: first, last_day: last }, place) =>
    first && last && last < first
      ? [
          {
            path: `${kind}[${place}].last_day`,
            rule: 'date_from',
            params: { min: inWords(first) },
            message: '',
          },
        ]
      : [],
  );
