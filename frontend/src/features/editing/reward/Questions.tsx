import { useTranslation } from 'react-i18next';
import type { Language } from '../../../domain/languages';
import { Button } from '../../../ui/Button';
import { TrashIcon, UndoIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { MapPinIcon, PlusIcon } from '../../../ui/icons';
import { languageNames } from '../languageNames';
import { askedQuestions, type QuestionDraft } from './draft';
import { nextId } from './nextId';
import classes from './RewardEditor.module.css';
import type { SectionProps } from './RewardForm';
import { Section } from './Section';

/** The contract's bound. */
const maxQuestions = 10;

/** The questions of the checkout, in their order. A removed question can be restored until the form is saved. */
export function Questions({ editor, main, second, isPhone }: SectionProps) {
  const { t } = useTranslation();
  const { draft, write, faults } = editor;
  const { questions } = draft;
  const shown: readonly Language[] = isPhone ? [second] : [main, second];
  const change = (id: string, next: Partial<QuestionDraft>) =>
    write({ questions: questions.map((one) => (one.id === id ? { ...one, ...next } : one)) });
  const add = (isAddress: boolean) =>
    write({
      questions: [
        ...questions,
        { id: nextId('question', questions), isNew: true, isAddress, text: { fi: '', en: '', sv: '' } },
      ],
    });
  const asked = askedQuestions(draft);
  const nameOf = ({ isAddress, text }: QuestionDraft) =>
    isAddress ? t('editing.reward.address') : text[main] || text[second];
  /** Says that the first question after a removed one has a new number, such as "Former 4 is now 3"; else empty. */
  const moved = (place: number) => {
    const after = questions.findIndex((one, at) => at > place && !one.isRemoved);
    const next = questions[after];
    return next && asked.indexOf(next) < after
      ? t('editing.reward.renumbered', { before: after + 1, now: asked.indexOf(next) + 1 })
      : '';
  };
  return (
    <Section title={t('editing.reward.questions')} note={t('editing.reward.questionsNote')}>
      {questions.map((question, place) => {
        if (question.isRemoved)
          return (
            <div key={question.id} className={classes.removed} role="status">
              <p>
                {t('editing.reward.questionRemoved', { question: nameOf(question) })} {moved(place)}
              </p>
              <Button
                variant="transparent"
                size="sm"
                leftSection={<UndoIcon size={16} />}
                onClick={() => change(question.id, { isRemoved: false })}
              >
                {t('editing.reward.undo')}
              </Button>
            </div>
          );
        const number = asked.indexOf(question) + 1;
        return (
          <div key={question.id} className={isPhone ? classes.questionAlone : classes.question}>
            <span className={classes.number} aria-hidden="true">
              {number}
            </span>
            {question.isAddress ? (
              <p className={classes.address}>
                <MapPinIcon />
                {t('editing.reward.address')}
                <span>{t('editing.reward.addressNote')}</span>
              </p>
            ) : (
              shown.map((language, column) => (
                <TextField
                  key={language}
                  label={undefined}
                  aria-label={t('editing.reward.question', { number, language: languageNames[language] })}
                  placeholder={languageNames[language]}
                  error={
                    column === 0 &&
                    faults[question.id] && <FaultText fault={faults[question.id] ?? { key: 'required' }} />
                  }
                  lang={language}
                  value={question.text[language]}
                  maxLength={300}
                  onChange={({ currentTarget: { value } }) =>
                    change(question.id, { text: { ...question.text, [language]: value } })
                  }
                />
              ))
            )}
            <IconButton
              label={t('editing.reward.questionRemove', { number })}
              icon={<TrashIcon />}
              onClick={() =>
                question.isNew && !nameOf(question)
                  ? write({ questions: questions.filter(({ id }) => id !== question.id) })
                  : change(question.id, { isRemoved: true })
              }
            />
          </div>
        );
      })}
      {asked.length < maxQuestions && (
        <div className={classes.adds}>
          <Button variant="transparent" leftSection={<PlusIcon size={16} />} onClick={() => add(false)}>
            {t('editing.reward.questionAdd')}
          </Button>
          {!asked.some(({ isAddress }) => isAddress) && (
            <Button variant="transparent" leftSection={<MapPinIcon size={16} />} onClick={() => add(true)}>
              {t('editing.reward.addressAdd')}
            </Button>
          )}
        </div>
      )}
      <p className={classes.help}>{t('editing.reward.answersStay')}</p>
    </Section>
  );
}
