import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import {
  useEraseAccountMutation,
  useOwnErasureQuery,
  type Erasure,
  type ErasureBlocker,
  type Security,
} from '../../../api/security';
import { clearPersonalData, sessionEnded } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { maxLength, all, required } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { PasswordField, TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { Unread } from '../../../ui/Unread';
import { useAppForm } from '../../../ui/useAppForm';
import classes from './OwnData.module.css';
import { fill, useTexts } from './texts';
import { useConfirmed } from './useConfirmed';

export interface EraseAccountProps {
  state: Security;
  onKeep: () => void;
}

/** Says what erasing the account does, and what stands in its way; then asks for address and password. */
export function EraseAccount({ state, onKeep }: EraseAccountProps) {
  const texts = useTexts().data;
  const language = useLanguage();
  const call = useOwnErasureQuery({ language });
  const { data } = call;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.panel}>
      <h3 ref={heading} tabIndex={-1} className={classes.question}>
        {texts.question}
      </h3>
      {data ? (
        <>
          <Outcome erasure={data} />
          {data.blockers.length > 0 ? (
            <Blockers list={data.blockers} onKeep={onKeep} />
          ) : (
            <EraseForm state={state} onKeep={onKeep} />
          )}
        </>
      ) : (
        <Unread of={call} where="EraseAccount" lines={8} />
      )}
    </div>
  );
}

/** What goes, what stays, and what is still under way. */
function Outcome({ erasure }: { erasure: Erasure }) {
  const texts = useTexts().data;
  const language = useLanguage();
  const { receipts, receipts_until, going_on, monthly } = erasure;
  const day = receipts_until ? formatDate(language, receipts_until) : '';
  const money = going_on.map(({ amount, currency }) =>
    formatMoney(language, amount, { cents: true, currency }),
  );
  const kept = receipts === 1 ? fill(texts.receipt, { day }) : fill(texts.receipts, { count: receipts, day });
  return (
    <>
      <div className={classes.columns}>
        <List title={texts.goes} items={texts.goesList} />
        {receipts > 0 && <List title={texts.staysLaw} items={[kept, texts.staysSums, texts.staysLocked]} />}
      </div>
      <p className={classes.also}>{texts.staysPosts}</p>
      <p className={classes.also}>{texts.staysShared}</p>
      <p className={classes.also}>{texts.staysTax}</p>
      <p className={classes.also}>{texts.staysForum}</p>
      {monthly.map(({ supports, amount, currency }) => (
        <p key={currency} className={classes.note}>
          <strong>
            {fill(texts.monthly, {
              count: fill(supports === 1 ? texts.supportsOne : texts.supportsMany, { count: supports }),
              sum: formatMoney(language, amount, { cents: true, currency }),
            })}
          </strong>{' '}
          {texts.monthlyText} <Link to={paths.mySubscriptions(language)}>{texts.monthlyLink}</Link>
        </p>
      ))}
      {money.length > 0 && (
        <p className={classes.note}>
          <strong>{fill(texts.goingOn, { sum: money.join(' + ') })}</strong> {texts.goingOnText}{' '}
          <Link to={paths.myPledges(language)}>{texts.goingOnLink}</Link>
        </p>
      )}
    </>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div>
      <h4 className={classes.listTitle}>{title}</h4>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}

function Blockers({ list, onKeep }: { list: readonly ErasureBlocker[]; onKeep: () => void }) {
  const texts = useTexts().data;
  const language = useLanguage();
  return (
    <>
      <div className={classes.note}>
        <strong>{texts.blocked}</strong>
        <ul className={classes.list}>
          {list.map(({ reason, campaign_id: id, slug = '', title = '' }) => {
            const [before, after] = texts[reason].split('{{title}}');
            return (
              <li key={`${reason} ${id}`}>
                {before}
                {id !== undefined && <Link to={paths.campaign(language, { id, slug })}>{title}</Link>}
                {after}
              </li>
            );
          })}
        </ul>
      </div>
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onKeep}>
          {texts.keep}
        </Button>
      </div>
    </>
  );
}

function EraseForm({ state, onKeep }: EraseAccountProps) {
  const texts = useTexts().data;
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const notify = useNotify();
  const errorText = useErrorText();
  const [eraseAccount] = useEraseAccountMutation();
  const confirmed = useConfirmed(state, true);
  const form = useAppForm({
    initialValues: { email: '', password: '' },
    rules: { email: all(required, maxLength(254)), ...(state.has_password && { password: required }) },
    onSubmit: async ({ email, password }) => {
      const erasureRequest = { email: email.trim(), ...(password && { password }) };
      const answer = await confirmed.run(() => eraseAccount({ erasureRequest }));
      if (!answer) return;
      if (isApiError(answer.error)) {
        form.showFailure(answer.error, errorText(answer.error, 'EraseAccount'), 'email');
        return;
      }
      dispatch(sessionEnded('signedOut')); // first: the token is good for nothing
      clearPersonalData(true);
      void navigate(paths.home(language));
      notify({ tone: 'success', title: texts.done, text: texts.doneText });
    },
  });
  // The dialog has a form of its own, whose events would bubble to this one.
  return (
    <>
      <form {...form.formProps} className={classes.form}>
        <TextField
          label={texts.email}
          help={texts.emailHelp}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('email')}
        />
        {state.has_password && (
          <PasswordField label={texts.password} autoComplete="current-password" {...form.field('password')} />
        )}
        <div className={classes.acts}>
          <Button variant="transparent" onClick={onKeep}>
            {texts.keep}
          </Button>
          <Button type="submit" variant="outline" color="danger" size="lg" loading={form.isSubmitting}>
            {texts.do}
          </Button>
        </div>
      </form>
      {confirmed.dialog}
    </>
  );
}
