import { useTranslation } from 'react-i18next';
import { useCategoriesQuery } from '../../../api/content';
import { languages } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { DayField } from '../../../ui/DayField';
import { FieldGroup } from '../../../ui/FieldGroup';
import { TextareaField, TextField } from '../../../ui/fields';
import { CheckIcon, MapPinIcon } from '../../../ui/icons';
import { OptionRow } from '../../../ui/OptionRow';
import { Segments } from '../../../ui/Segments';
import { ToggleButton } from '../../../ui/ToggleButton';
import { Unread } from '../../../ui/Unread';
import type { AppForm } from '../../../ui/useAppForm';
import classes from './parts.module.css';
import { maxLengths } from './rules';
import type { DraftValues, Part } from './values';

export interface FieldsProps {
  form: AppForm<DraftValues>;
}

/** The fields of a part. */
export function PartFields({ part, form }: FieldsProps & { part: Part }) {
  switch (part) {
    case 'idea':
      return <IdeaFields form={form} />;
    case 'money':
      return <MoneyFields form={form} />;
    case 'goals':
      return <GoalFields form={form} />;
    case 'reward':
      return <RewardFields form={form} />;
    case 'who':
      return <WhoFields form={form} />;
  }
}

function Counted({ help, value, max }: { help: string; value: string; max: number }) {
  return (
    <span className={classes.counted}>
      <span>{help}</span>
      <span>{`${Array.from(value.trim()).length} / ${max}`}</span>
    </span>
  );
}

function IdeaFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useCategoriesQuery({ language });
  const { data } = call;
  const { values } = form;
  const languageField = (
    <FieldGroup label={t('begin.language')} name="language">
      <Segments
        label={t('begin.language')}
        value={values.language}
        onChange={(chosen) => form.setValue('language', chosen)}
        isWide
        segments={languages.map((one) => ({ value: one, label: t(`begin.languages.${one}`), lang: one }))}
      />
    </FieldGroup>
  );
  return (
    <>
      <TextField
        label={t('begin.title_')}
        help={<Counted help={t('begin.titleHelp')} value={values.title} max={maxLengths.title} />}
        autoComplete="off"
        lang={values.language}
        {...form.field('title')}
      />
      {values.variant === 'short' && languageField}
      {values.variant !== 'short' && (
        <>
          <TextareaField
            label={t('begin.tagline')}
            help={<Counted help={t('begin.taglineHelp')} value={values.tagline} max={maxLengths.tagline} />}
            rows={2}
            lang={values.language}
            {...form.field('tagline')}
          />
          <FieldGroup label={t('begin.category')} name="category" error={form.errorOf('category')}>
            {!data && <Unread of={call} where="create" lines={2} />}
            <div className={classes.chips}>
              {data?.categories.map(({ id, label }) => (
                <ToggleButton
                  key={id}
                  look="chip"
                  isPressed={values.category === String(id)}
                  onPress={() => form.setValue('category', String(id))}
                >
                  {values.category === String(id) && <CheckIcon size={16} />}
                  {label}
                </ToggleButton>
              ))}
            </div>
          </FieldGroup>
          <div className={classes.pair}>
            <TextField
              label={t('begin.place')}
              isOptional
              leftSection={<MapPinIcon size={16} />}
              autoComplete="address-level2"
              {...form.field('place')}
            />
            {languageField}
          </div>
        </>
      )}
    </>
  );
}

const fundingRules = ['all_or_nothing', 'keep_what_is_raised'] as const;

function MoneyFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('begin.goal')}
        help={t('begin.goalHelp')}
        inputMode="decimal"
        rightSection="€"
        autoComplete="off"
        {...form.field('target_goal')}
      />
      <FieldGroup label={t('begin.rule')} name="funding_rule" error={form.errorOf('funding_rule')}>
        <div className={classes.rows}>
          {fundingRules.map((rule) => (
            <OptionRow
              key={rule}
              name="funding_rule"
              value={rule}
              isChecked={form.values.funding_rule === rule}
              onChoose={() => form.setValue('funding_rule', rule)}
              label={t(`begin.rules.${rule}.label`)}
              detail={t(`begin.rules.${rule}.detail`)}
            />
          ))}
        </div>
      </FieldGroup>
      <div className={classes.pair}>
        <DayField
          label={t('begin.firstDay')}
          isOptional
          help={t('begin.firstDayHelp')}
          {...form.field('first_day_of_funding')}
        />
        <DayField
          label={t('begin.lastDay')}
          isOptional
          help={t('begin.lastDayHelp')}
          {...form.field('last_day_of_funding')}
        />
      </div>
    </>
  );
}

function GoalFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const { goals } = form.values;
  const change = (place: number, change_: Partial<(typeof goals)[number]>) =>
    form.setValue(
      'goals',
      goals.map((goal, at) => (at === place ? { ...goal, ...change_ } : goal)),
    );
  return (
    <>
      <p className={classes.hint}>{t('begin.goalsHelp')}</p>
      <ol className={classes.ladder}>
        {goals.map((goal, place) => (
          // Goals have no id, and the list does not change its order.
          <li key={place} className={classes.goal}>
            <TextField
              label={t('begin.goalTarget', { number: place + 1 })}
              isOptional={place > 0}
              inputMode="numeric"
              autoComplete="off"
              value={goal.target}
              onChange={({ currentTarget }) => change(place, { target: currentTarget.value })}
              error={form.errorOf(`goals.${place}.target`)}
              data-path={`goals.${place}.target`}
            />
            <TextField
              label={t('begin.goalTitle', { number: place + 1 })}
              isOptional={place > 0}
              autoComplete="off"
              lang={form.values.language}
              value={goal.title}
              onChange={({ currentTarget }) => change(place, { title: currentTarget.value })}
              error={form.errorOf(`goals.${place}.title`)}
              data-path={`goals.${place}.title`}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

function RewardFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const { values } = form;
  return (
    <>
      <TextField
        label={t('begin.rewardTitle')}
        help={t('begin.rewardTitleHelp')}
        autoComplete="off"
        lang={values.language}
        {...form.field('reward_title')}
      />
      <TextareaField
        label={t('begin.rewardText')}
        isOptional
        rows={2}
        lang={values.language}
        {...form.field('reward_description')}
      />
      <div className={classes.pair}>
        <TextField
          label={t(values.variant === 'monthly' ? 'begin.rewardAMonth' : 'begin.rewardPrice')}
          help={t('begin.rewardPriceHelp')}
          inputMode="numeric"
          rightSection="€"
          autoComplete="off"
          {...form.field('reward_amount')}
        />
        <TextField
          label={t('begin.rewardStock')}
          isOptional
          help={t('begin.rewardStockHelp')}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('reward_stock')}
        />
      </div>
    </>
  );
}

const creatorTypes = ['association', 'company', 'person'] as const;

function WhoFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const { legal_creator_type: type } = form.values;
  return (
    <>
      <FieldGroup
        label={t('begin.creatorType')}
        name="legal_creator_type"
        error={form.errorOf('legal_creator_type')}
      >
        <div className={classes.rows}>
          {creatorTypes.map((one) => (
            <OptionRow
              key={one}
              name="legal_creator_type"
              value={one}
              isChecked={type === one}
              onChoose={() => form.setValue('legal_creator_type', one)}
              label={t(`begin.creatorTypes.${one}`)}
            />
          ))}
        </div>
      </FieldGroup>
      <TextField
        label={t('begin.creatorName')}
        help={t('begin.creatorNameHelp')}
        autoComplete={type === 'person' ? 'name' : 'organization'}
        {...form.field('legal_creator')}
      />
      <TextField
        label={t('begin.contact')}
        help={t('begin.contactHelp')}
        type="email"
        autoComplete="email"
        {...form.field('contact_email')}
      />
    </>
  );
}
