import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import { useCategoriesQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { ActionBar } from '../../../ui/ActionBar';
import { Button } from '../../../ui/Button';
import { FaultText, ServerFaultText } from '../../../ui/FaultText';
import { OptionCard } from '../../../ui/OptionCard';
import { TextButton } from '../../../ui/TextButton';
import { useAppForm } from '../../../ui/useAppForm';
import { answerOf, fieldOfPath, partOfField } from './answers';
import classes from './CreateCampaignPage.module.css';
import { Drawing } from './Drawings';
import { PartRow } from './PartRow';
import { Restored } from './Restored';
import { NextSteps } from './NextSteps';
import { PartFields } from './parts';
import { Preview } from './Preview';
import { isWhole, partFaults } from './rules';
import { SaveLine } from './SaveLine';
import { useDraft } from './useDraft';
import { useOpenPage } from './useOpenPage';
import { labelOf, partsOf, variants, type DraftValues, type Part } from './values';

export interface CreateFormProps {
  /** The user has discarded the draft and wants an empty form. */
  onStartOver: () => void;
}

/** The form that creates a campaign: the choice of its variant, its parts, and a preview of the campaign's card. */
export function CreateForm({ onStartOver }: CreateFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const draft = useDraft();
  const { first, campaign, status, context, flush, change } = draft;
  const { data } = useCategoriesQuery({ language });
  const [part, setPart] = useState<Part>(first.part);
  const [done, setDone] = useState(first.done);
  const [drawnFrom, setDrawnFrom] = useState(first.values.title);
  const { openPage, isOpening, cancelOpening } = useOpenPage(draft);

  const form = useAppForm<DraftValues>({
    initialValues: first.values,
    rules: (values) => partFaults(part, values, context),
    onSubmit: async () => {
      const finished = [...new Set([...done, part])];
      setDone(finished);
      const next = parts.find((one) => !finished.includes(one));
      change({ done: finished, ...(next && { part: next }) });
      if (next) {
        go(next);
        void flush();
      } else {
        await openPage();
      }
    },
  });
  const { values } = form;
  const { title } = values;
  const parts = partsOf(values.variant);
  const open = parts.includes(part) ? part : 'idea';
  const number = parts.indexOf(open) + 1;
  const following = parts.find((one) => one !== open && !done.includes(one));

  // Every change is stored on the device at once, and sent to the server after a pause.
  const kept = useRef(values);
  useEffect(() => {
    if (kept.current === values) return;
    kept.current = values;
    cancelOpening();
    change({ values });
  }, [values, change, cancelOpening]);

  // If the server refuses a field, the part with that field is opened.
  const [refused, setRefused] = useState<ApiError>();
  if (status.is === 'failed' && !status.isRetried && status.error !== refused) {
    setRefused(status.error);
    const wrong = partOfField(fieldOfPath(status.error.fields?.[0]?.path ?? ''));
    if (parts.includes(wrong)) setPart(wrong);
  }
  useEffect(() => {
    const faults = refused?.fields ?? [];
    for (const fault of faults) form.setError(fieldOfPath(fault.path), <ServerFaultText fault={fault} />);
    if (faults[0]) form.focusField(fieldOfPath(faults[0].path));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each refusal; the form is new in each render
  }, [refused]);

  const root = useRef<HTMLDivElement>(null);
  // Leaving a field saves it at once, and updates the preview's cover, which is drawn from the title.
  useEffect(() => {
    const element = root.current;
    const leaveField = () => {
      setDrawnFrom(title);
      void flush();
    };
    element?.addEventListener('focusout', leaveField);
    return () => element?.removeEventListener('focusout', leaveField);
  }, [flush, title]);
  const go = (to: Part) => {
    // At once: a focus that moves later would take away what is typed meanwhile.
    flushSync(() => setPart(to));
    change({ part: to });
    // The part's heading gets the focus: it is announced, and Tab leads to its fields.
    const heading = root.current?.querySelector<HTMLElement>(`[data-part='${to}'] h2`);
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (variant: DraftValues['variant']) => {
    form.setValue('variant', variant);
    if (!partsOf(variant).includes(part)) go('idea');
  };
  const later = () => {
    const fault = partFaults('idea', values, context).title;
    if (!fault) return void openPage();
    form.setError('title', <FaultText fault={fault} />);
    if (open !== 'idea') go('idea');
    form.focusField('title');
  };

  const category = labelOf(data?.categories ?? [], values.category);
  const isLast = !following;
  const goOn = following ? t(`begin.goOn.${following}`) : t('begin.finish');
  const goOnShort = following ? t(`begin.goOnShort.${following}`) : t('begin.finish');
  const isBegun = title.trim() !== '';

  return (
    <div ref={root}>
      {draft.isRestored && (
        <Restored
          onStartOver={() => {
            draft.discard();
            onStartOver();
          }}
        />
      )}
      <fieldset className={classes.options}>
        <legend className="tk-visually-hidden">{t('begin.way')}</legend>
        {variants.map((variant) => (
          <OptionCard
            key={variant}
            name="variant"
            value={variant}
            isChecked={values.variant === variant}
            onChoose={() => choose(variant)}
            drawing={<Drawing variant={variant} />}
            label={t(`begin.variants.${variant}.label`)}
            detail={t(`begin.variants.${variant}.detail`)}
            shortDetail={t(`begin.variants.${variant}.short`)}
          />
        ))}
      </fieldset>
      <div className={classes.columns}>
        <form {...form.formProps} className={classes.parts}>
          {parts.map((one, place) => (
            <PartRow
              key={one}
              part={one}
              number={place + 1}
              count={parts.length}
              isOpen={one === open}
              isDone={done.includes(one) && isWhole(one, values, context)}
              answer={answerOf(one, values, { t, language, category })}
              saveState={
                <SaveLine
                  status={status}
                  draft={campaign.draft}
                  savedBefore={campaign.savedAt}
                  isBegun={isBegun}
                />
              }
              onOpen={() => go(one)}
            >
              <PartFields part={one} form={form} />
              <div className={classes.acts}>
                <Button type="submit" size="lg" loading={isOpening && isLast}>
                  {goOn}
                </Button>
                {!isLast && (
                  <TextButton look="aside" onPress={later}>
                    {t('begin.later')}
                  </TextButton>
                )}
              </div>
            </PartRow>
          ))}
          <ActionBar className={classes.bar}>
            <div>
              <p className={classes.step}>{t('begin.step', { number, count: parts.length })}</p>
              {!isLast && (
                <TextButton look="aside" onPress={later}>
                  {t('begin.laterShort')}
                </TextButton>
              )}
            </div>
            <Button type="submit" size="lg" loading={isOpening && isLast}>
              {goOnShort}
            </Button>
          </ActionBar>
        </form>
        <aside className={classes.side} aria-label={t('begin.preview')}>
          <Preview values={values} category={category} drawnFrom={drawnFrom} />
          <NextSteps />
        </aside>
      </div>
    </div>
  );
}
