import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimKind, OwnClaimAnswer } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { formatDate } from '../../i18n/format';
import { AppMantineProvider } from '../AppMantineProvider';
import { Button } from '../Button';
import { TextareaField } from '../fields';
import { OptionRow } from '../OptionRow';
import { Unread } from '../Unread';
import { useBackersClaim, type Backing, type Wish } from './backing';
import { ClaimCard } from './ClaimCard';
import classes from './Claims.module.css';
import { lastDay } from './days';
import { useActing } from './useActing';

/** What a backer may do when something is wrong with a pledge whose campaign has ended: make a claim, and follow it. */
export default function ClaimPart({ of }: { of: Backing }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { call, act } = useBackersClaim(of);
  const { data, error } = call;
  const [isOpen, setOpen] = useState(false);
  if (!data && error) return <Unread of={call} where="Claims" lines={4} />;
  if (!data) return null;
  const { claim, kinds, until, not_delivered_from: early } = data;
  if (!claim && kinds.length === 0) return null;
  return (
    <AppMantineProvider>
      <div className={classes.part}>
        {claim && <ClaimCard claim={claim} act={act} />}
        {kinds.length > 0 &&
          (isOpen ? (
            <Make kinds={kinds} act={act} onDone={() => setOpen(false)} />
          ) : (
            <div className={classes.ask}>
              <div>
                {!claim && <h4 className={classes.cardTitle}>{t('claims.row.label')}</h4>}
                <p className={classes.small}>
                  {until && t('claims.row.text', { day: formatDate(language, lastDay(until)) })}
                  {early && <> {t('claims.row.early', { day: formatDate(language, early) })}</>}
                </p>
              </div>
              <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
                {t(claim ? 'claims.acts.again' : 'claims.row.act')}
              </Button>
            </div>
          ))}
      </div>
    </AppMantineProvider>
  );
}

interface MakeProps {
  kinds: OwnClaimAnswer['kinds'];
  act: (wish: Wish, key: string) => Promise<unknown>;
  onDone: () => void;
}

/** The form of a claim; nothing is chosen beforehand. */
function Make({ kinds, act, onDone }: MakeProps) {
  const { t } = useTranslation();
  const id = useId();
  const acting = useActing('make');
  const [kind, setKind] = useState<ClaimKind>();
  const [text, setText] = useState('');
  const send = async () => {
    const wish = { act: 'make', kind, text } as const;
    if (await acting.act(wish, (key) => act(wish, key))) onDone();
  };
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h4 id={id} className={classes.cardTitle}>
        {t('claims.make.title')}
      </h4>
      <div className={classes.form}>
        <div role="radiogroup" aria-labelledby={id} className={classes.options}>
          {kinds.map((one) => (
            <OptionRow
              key={one}
              name={`${id}-kind`}
              value={one}
              isChecked={kind === one}
              onChoose={() => setKind(one)}
              label={t(`claims.make.kinds.${one}`)}
            />
          ))}
        </div>
        <TextareaField
          label={t('claims.make.text')}
          help={t('claims.make.help')}
          rows={4}
          maxLength={2000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div role="alert">{acting.failure && <p className={classes.failure}>{acting.failure}</p>}</div>
        <div className={classes.acts}>
          <Button
            disabled={!kind || text.trim() === ''}
            loading={acting.isActing}
            onClick={() => void send()}
          >
            {t('claims.make.do')}
          </Button>
          <Button variant="transparent" onClick={onDone}>
            {t('claims.make.cancel')}
          </Button>
        </div>
        {!kind && <p className={classes.small}>{t('claims.make.choose')}</p>}
      </div>
    </section>
  );
}
