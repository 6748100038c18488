import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { notFound, type PageLoaderArgs } from '../../../ui/page';
import { AdminFrame } from '../AdminFrame';
import { Anomalies } from './Anomalies';
import { Anomaly } from './Anomaly';
import { Balances } from './Balances';
import { Desk } from './Desk';
import { Journal } from './Journal';
import { moneyParts, type MoneyPart } from '../../../domain/moneyParts';
import { Payment } from './Payment';
import { Refunds } from './Refunds';
import { Run } from './Run';
import { Runs } from './Runs';
import { Switches } from './Switches';
import { Webhooks } from './Webhooks';
import classes from './MoneyPage.module.css';

/** The parts that are lists, and the things that have a page; what is missing here is no page. */
const lists: Readonly<Partial<Record<MoneyPart, () => React.JSX.Element>>> = {
  anomalies: Anomalies,
  runs: Runs,
  refunds: Refunds,
  webhooks: Webhooks,
  switches: Switches,
  balances: Balances,
  journal: Journal,
};
const things: Readonly<Partial<Record<MoneyPart, (props: { id: string }) => React.JSX.Element>>> = {
  payments: Payment,
  anomalies: Anomaly,
  runs: Run,
};
const forms: Readonly<Partial<Record<MoneyPart, RegExp>>> = {
  payments: /^[0-9a-z]{26}$/,
  anomalies: /^[1-9]\d{0,14}$/,
  runs: /^[0-9a-z]{26}$/,
};

const partOf = (name: string | undefined) => moneyParts.find((one) => one === name);

export function load({ params }: PageLoaderArgs) {
  if (params.part === undefined) return;
  const part = partOf(params.part);
  const isPage = part && (params.key === undefined ? part in lists : forms[part]?.test(params.key));
  if (!isPage) throw notFound();
}

/** The operator's desk: what waits for a person, what a word leads to, and each thing with what can be done about it. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { part: name, key } = useParams();
  const part = partOf(name);
  const Thing = part && key !== undefined ? things[part] : undefined;
  const List = part ? lists[part] : Desk;
  return (
    <AdminFrame section="money">
      <nav aria-label={t('desk.title')} className={classes.parts}>
        <Link to={paths.money(language)} aria-current={part === undefined ? 'page' : undefined}>
          {t('desk.parts.desk')}
        </Link>
        {(Object.keys(lists) as Exclude<MoneyPart, 'payments'>[]).map((one) => (
          <Link
            key={one}
            to={paths.money(language, one)}
            aria-current={one === part ? (key === undefined ? 'page' : 'true') : undefined}
          >
            {t(`desk.parts.${one}`)}
          </Link>
        ))}
      </nav>
      {Thing ? <Thing key={key} id={key ?? ''} /> : List && <List />}
    </AdminFrame>
  );
}
