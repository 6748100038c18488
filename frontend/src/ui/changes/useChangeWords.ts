import { useTranslation } from 'react-i18next';
import { campaignStageName, experimentStageName } from '../../domain/stages';
import { asksForAddress } from '../../domain/rewards';
import { useLanguage } from '../../i18n';
import { formatDate, formatMoney, formatMonth } from '../../i18n/format';
import type fi from '../../i18n/fi.json';
import { languages } from '../../domain/languages';

type Texts = (typeof fi)['changes'];

/** A tag or category, of which a change has the id only. */
export interface Labelled {
  id: number;
  label: string;
}

/** What has a name for ids in changes. */
export interface Known {
  categories: readonly Labelled[];
  tags: readonly Labelled[];
}

/** What was changed: a field of something, such as fi.title of a campaign. */
export interface Changed {
  entity: string;
  path: string;
}

const money = new Set(['amount', 'min_goal', 'target_goal', 'goal', 'raised']);
const days = new Set([
  'first_day_of_funding',
  'last_day_of_funding',
  'hold_tells_on',
  'published_at',
  'deleted_at',
]);
const pictures = new Set(['image', 'image_collection', 'project_pic', 'creator_pic']);
/** Parts of a value that only machines know. */
const silent = new Set(['id', 'user_id', 'key', 'field', 'language']);

/** What useChangeWords returns. */
export type ChangeWords = ReturnType<typeof useChangeWords>;

/**
 * Words for what the log of changes says: what somebody did, which field, and its values as people read them. Nothing
 * that the log may hold comes out as a name of the program or as JSON.
 */
export function useChangeWords(known: Known) {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const isText = (key: string) => i18n.exists(key);

  const act = (action: string): string =>
    t(`changes.act.${(isText(`changes.act.${action}`) ? action : 'other') as keyof Texts['act']}`);

  const field = (path: string): string => {
    const { name, language: of } = partsOf(path);
    const words = t(
      `changes.field.${(isText(`changes.field.${name}`) ? name : 'other') as keyof Texts['field']}`,
    );
    return of ? `${words} · ${t(`changes.value.language.${of}`)}` : words;
  };

  const value = (changed: Changed, of: unknown): string => {
    const { name } = partsOf(changed.path);
    if (of === undefined || of === null || of === '' || (name === 'review' && of === 'none')) return '';
    if (Array.isArray(of)) return listed(changed, name, of);
    if (name === 'show_in' && isRecord(of))
      return Object.keys(of)
        .filter((key) => of[key] === true)
        .map((key) => value({ ...changed, path: name }, key))
        .join(', ');
    if (!isPlain(of)) return leaves(of, language).join(' · ');
    const text = String(of);
    const enumerated = `changes.value.${name}.${text}`;
    if (isText(enumerated)) return t(enumerated as 'changes.value.yes');
    if (typeof of === 'boolean') return t(of ? 'changes.value.yes' : 'changes.value.no');
    if (name === 'stage' || name === 'opens_as') return stageWords(changed.entity, Number(of));
    if (money.has(name)) return sum(Number(of));
    if (name === 'level') return t('changes.value.levelFrom', { amount: sum(Number(of)) });
    if (name === 'stock' && Number(of) === 0) return t('changes.value.unlimited');
    if (name === 'vat_percentage') return `${Number(of).toLocaleString(language)} %`;
    if (name === 'delivery') return formatMonth(language, text);
    if (days.has(name)) return formatDate(language, text);
    if (pictures.has(name)) return t('changes.value.picture');
    if (name === 'into') return known.tags.find(({ id }) => id === Number(of))?.label ?? text;
    return text;
  };

  return { act, field, value };

  function sum(amount: number) {
    return formatMoney(language, amount, { cents: !Number.isInteger(amount) });
  }

  function stageWords(entity: string, number: number): string {
    const experiment = entity === 'experiment' ? experimentStageName(number) : undefined;
    if (experiment) return t(`experimentStage.${experiment}`);
    const stage = campaignStageName(number);
    return stage ? t(`stage.${stage}`) : String(number);
  }

  function listed(changed: Changed, name: string, list: readonly unknown[]): string {
    const labels =
      name === 'tags' ? known.tags : name === 'categories' || name === 'order' ? known.categories : [];
    return list
      .map((one) => {
        if (typeof one === 'number')
          return labels.find(({ id }) => id === one)?.label ?? t('changes.value.numbered', { number: one });
        if (one === '' && name === 'team') return t('changes.value.formerMember');
        if (one === asksForAddress) return t('changes.value.postalAddress');
        if (name === 'subscriptions_goals' && isRecord(one))
          return t('changes.value.reached', {
            count: Number(one.target),
            title: leaves(one.texts, language)[0] ?? '',
          });
        if (name === 'campaigns' || name === 'experiments')
          return isRecord(one) ? t('changes.value.numbered', { number: Number(one.id) }) : '';
        if (!isRecord(one)) return value({ ...changed, path: name }, one);
        const minor = one.amount_minor ?? one.raised_minor;
        const words = leaves({ ...one, amount_minor: undefined, raised_minor: undefined }, language);
        return [...words, ...(typeof minor === 'number' ? [sum(minor / 100)] : [])].join(' ');
      })
      .filter(Boolean)
      .join(', ');
  }
}

/** The field's own name and the language of a text: content.fi.title is title in Finnish. */
function partsOf(path: string) {
  const parts = path.replace(/^content\./, '').split('.');
  const last = parts.at(-1) ?? '';
  const language = languages.find((one) => one === parts[0] || (parts[0] === 'labels' && one === last));
  return { name: parts[0] === 'labels' ? 'labels' : last, language };
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The words inside a value of a shape that is not known here; of a text in several languages the reader's, or any. */
function leaves(value: unknown, language: string): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, language));
  if (!isRecord(value)) return [];
  // What rich text is made of has words only in its texts.
  if (Array.isArray(value.content)) return leaves(value.content, language);
  if (typeof value.text === 'string' && typeof value.type === 'string') return [value.text];
  if (typeof value.type === 'string') return [];
  const inLanguages = Object.keys(value).filter((key) => /^(fi|en|sv)$/i.test(key));
  if (inLanguages.length > 0) {
    const own = inLanguages.find((key) => key.toLowerCase() === language) ?? inLanguages[0];
    return own === undefined ? [] : leaves(value[own], language);
  }
  return Object.entries(value).flatMap(([key, one]) => (silent.has(key) ? [] : leaves(one, language)));
}
