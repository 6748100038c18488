import type { TFunction } from 'i18next';
import type { ReviewedPart } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { formatDay, formatMoney, formatMonth } from '../../../i18n/format';
import { languageNames } from '../languageNames';
import { blockTexts, type Doc } from '../richText/document';

/** One thing that a part says, such as its text in a language or its price. */
export interface Line {
  /** The same in both versions of the part. */
  key: string;
  label?: string;
  /** A text's paragraphs, or one value. */
  texts: readonly string[];
  lang?: Language;
  is: 'text' | 'value' | 'picture';
}

/** What the lines of a part are written with. */
export interface LineContext {
  t: TFunction;
  language: Language;
  /** By part and id, such as team:7. */
  names: Readonly<Record<string, string>>;
}

type Value = Readonly<Record<string, unknown>>;

/** What a version of a part says; nothing if it was not there. */
export function linesOf(part: string, value: unknown, context: LineContext): Line[] {
  if (value === undefined || value === null) return [];
  const { t, language, names } = context;
  const [name = part] = part.split(':');
  const text = (key: string, said: unknown, label?: string): Line[] =>
    typeof said === 'string' && said !== '' ? [{ key, label, texts: [said], is: 'value' }] : [];
  const money = (minor: unknown, currency: unknown) =>
    formatMoney(language, Number(minor) / 100, { cents: false, currency: String(currency) });
  const of = value as Value;
  switch (name) {
    case 'story':
      return byLanguage(of, (doc) => blockTexts(doc as Doc));
    case 'cover':
      return [
        ...text('picture', of.picture).map((line): Line => ({ ...line, is: 'picture' })),
        ...byLanguage(of.alt as Value, (alt) => [String(alt)], t('review.changes.alt')),
      ];
    case 'creator':
      return [
        ...text('name', of.name),
        ...text('introduction', of.introduction),
        ...text('picture', of.picture).map((line): Line => ({ ...line, is: 'picture' })),
      ];
    case 'creator_pic':
      return text('picture', value).map((line): Line => ({ ...line, is: 'picture' }));
    case 'goal':
      return (['min', 'target'] as const).flatMap((key) =>
        Number(of[key]) > 0 ? text(key, money(of[key], of.currency), t(`review.changes.${key}`)) : [],
      );
    case 'dates':
      return (['first', 'last'] as const).flatMap((key) =>
        typeof of[key] === 'string'
          ? text(key, formatDay(language, of[key]), t(`review.changes.${key}`))
          : [],
      );
    case 'funding_rule':
      return text('rule', t(`editing.campaign.money.${value as 'all_or_nothing' | 'keep_what_is_raised'}`));
    case 'legal_creator':
      return [
        ...text('name', of.name),
        ...text(
          'type',
          t(`editing.campaign.contact.${of.type === '' ? 'none' : (of.type as 'person')}`),
          t('editing.campaign.contact.type'),
        ),
      ];
    case 'form':
      return [
        ...text('language', languageNames[of.language as Language]),
        ...text('opens_as', t(of.opens_as === 6 ? 'review.changes.monthly' : 'review.changes.oneOff')),
      ];
    case 'hidden':
      return [
        ...text(
          'amount',
          t(of.amount ? 'editing.campaign.history.on' : 'editing.campaign.history.off'),
          t('editing.campaign.part.hideFundingAmount'),
        ),
        ...text(
          'backers',
          t(of.backers ? 'editing.campaign.history.on' : 'editing.campaign.history.off'),
          t('editing.campaign.part.hideMemberCount'),
        ),
      ];
    case 'goals':
      return (value as { id: number; target: number; texts?: Value | null }[]).flatMap(
        ({ id, target, texts }) => [
          ...text(`${id}`, String(target), t('review.changes.supporters')),
          ...byLanguage(
            texts ?? {},
            (one) =>
              Object.values(one as Value)
                .map(String)
                .filter(Boolean),
            undefined,
            `${id}.`,
          ),
        ],
      );
    case 'team':
    case 'tags':
    case 'category':
      return text(name, (value as number[]).map((id) => names[`${name}:${id}`] ?? String(id)).join(', '));
    case 'custom_texts':
      return byLanguage(of, (own) => Object.values(own as Value).map(String));
    case 'variations':
      return (value as { field: string; language: string; value: string }[]).flatMap((one) =>
        one.field === 'project_pic'
          ? [{ key: one.value, texts: [one.value], is: 'picture' as const }]
          : text(
              `${one.field}.${one.value}`,
              one.value,
              t(`review.partNames.${one.field as 'title' | 'tagline'}`),
            ),
      );
    case 'reward':
      return rewardLines(of, context, money);
  }
  if (typeof value === 'string') return text(name, value);
  return byLanguage(of, (one) => [String(one)]);
}

function rewardLines(
  of: Value,
  { t, language }: LineContext,
  money: (minor: unknown, currency: unknown) => string,
): Line[] {
  const line = (key: string, said: string | undefined): Line[] =>
    said ? [{ key, label: t(`review.changes.${key as 'price'}`), texts: [said], is: 'value' }] : [];
  const costs = (of.added_costs ?? []) as { amount_minor: number; description: Record<string, string> }[];
  return [
    ...line('price', money(of.amount, of.currency)),
    ...line('rewardKind', of.kind ? t(`editing.reward.kinds.${of.kind as 'goods'}`) : undefined),
    ...line('stock', Number(of.stock) > 0 ? String(of.stock) : t('review.changes.unlimited')),
    ...line(
      'vat',
      of.vat_tenths === null || of.vat_tenths === undefined ? undefined : `${Number(of.vat_tenths) / 10} %`,
    ),
    ...line('delivery', of.delivery ? formatMonth(language, of.delivery as string) : undefined),
    ...line(
      'costs',
      costs
        .map((cost) => `${money(cost.amount_minor, of.currency)} ${Object.values(cost.description)[0] ?? ''}`)
        .join(', '),
    ),
    ...line('shown', t(of.active === 1 ? 'editing.campaign.history.on' : 'editing.campaign.history.off')),
    ...(of.image ? [{ key: 'image', texts: [of.image as string], is: 'picture' as const }] : []),
    ...byLanguage((of.texts ?? {}) as Value, (one) => {
      const {
        title,
        description,
        image_alt: alt,
        custom_questions: questions,
      } = one as Record<string, unknown>;
      return [title, description, alt, ...((questions as string[] | undefined) ?? [])]
        .map(String)
        .filter(Boolean);
    }),
  ];
}

function byLanguage(
  value: Value | undefined,
  textsOf: (of: unknown) => readonly string[],
  label?: string,
  prefix = '',
): Line[] {
  return languages.flatMap((language) => {
    const texts = value?.[language] === undefined ? [] : textsOf(value[language]);
    return texts.length === 0
      ? []
      : [
          {
            key: `${prefix}${language}`,
            label: [label, languageNames[language]].filter(Boolean).join(' · '),
            texts,
            lang: language,
            is: 'text' as const,
          },
        ];
  });
}

/** The lines of a changed part that differ, each with what it said before and says now. */
export function changedLines(
  part: ReviewedPart,
  context: LineContext,
): { line: Line; before?: Line; now?: Line }[] {
  const before = linesOf(part.part, part.before, context);
  const now = linesOf(part.part, part.now, context);
  const keys = [...new Set([...before, ...now].map(({ key }) => key))];
  return keys.flatMap((key) => {
    const was = before.find((one) => one.key === key);
    const is = now.find((one) => one.key === key);
    const line = is ?? was;
    return line && JSON.stringify(was?.texts) !== JSON.stringify(is?.texts)
      ? [{ line, before: was, now: is }]
      : [];
  });
}
