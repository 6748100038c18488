import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../../api/apiError';
import { useUserPreviewsQuery } from '../../../api/people';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { ComboField, type ComboOption } from '../../../ui/ComboField';
import { ApiErrorText } from '../campaign/FieldErrorText';
import classes from './ExperimentEditor.module.css';
import { idIn } from './idIn';

/** How many people are offered. */
const most = 6;

/** A text once it has not changed for a moment, so that not each letter is a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface PersonSearchProps {
  /** Those who are not offered. */
  without: readonly number[];
  /** Adds a person. Resolves to whether it was done. */
  onChoose: (id: number) => Promise<boolean>;
  isBusy: boolean;
  failure?: ApiError;
  /** What was typed has changed. */
  onType: () => void;
}

/**
 * Finds a person of the index of people by name, or by the number or the address of their profile, and adds them: a
 * combobox with a list below it.
 */
export function PersonSearch({ without, onChoose, isBusy, failure, onType }: PersonSearchProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [typed, setTyped] = useState('');
  const [isBad, setBad] = useState(false);
  const keyword = useSettled(typed.trim());
  const number = idIn(typed);
  const isSearched = keyword.length >= 2 && idIn(keyword) === undefined;
  const { data, error } = useUserPreviewsQuery(
    { language, keyword, limit: most + without.length },
    { skip: !isSearched },
  );
  const found: ComboOption[] = isSearched
    ? (data?.previews ?? [])
        .filter(({ user_id }) => !without.includes(user_id))
        .slice(0, most)
        .map(({ user_id, first_name, last_name, image_filename, short_description }) => ({
          id: user_id,
          name: `${first_name} ${last_name}`.trim(),
          image: image_filename,
          about: short_description,
        }))
    : [];
  const people: ComboOption[] =
    number === undefined ? found : [{ id: number, name: t('experimentEdit.team.byNumber', { id: number }) }];
  const isNobody = isSearched && data !== undefined && keyword === typed.trim() && found.length === 0;

  const choose = async (person: ComboOption | undefined) => {
    setBad(!person);
    // What has been typed while the person was added stays.
    if (person && (await onChoose(person.id))) setTyped((now) => (now === typed ? '' : now));
  };
  return (
    <form
      className={classes.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // One person alone is who is meant.
        void choose(people.length === 1 ? people[0] : undefined);
      }}
    >
      <ComboField
        label={t('experimentEdit.team.add')}
        help={t('experimentEdit.team.addHelp')}
        listLabel={t('experimentEdit.team.found')}
        maxLength={200}
        value={typed}
        options={people}
        error={isBad ? t('experimentEdit.team.bad') : failure && <ApiErrorText error={failure} />}
        onType={(text) => {
          setTyped(text);
          setBad(false);
          onType();
        }}
        onChoose={(person) => void choose(person)}
      />
      <p role="status" className={isNobody || error ? classes.quiet : 'tk-visually-hidden'}>
        {isNobody && t('experimentEdit.team.nobody')}
        {isSearched && isApiError(error) && <ApiErrorText error={error} />}
        {people.length > 0 && typed.trim() !== '' && t('experimentEdit.team.count', { count: people.length })}
      </p>
      <div>
        <Button type="submit" variant="light" size="sm" loading={isBusy}>
          {t('experimentEdit.team.submit')}
        </Button>
      </div>
    </form>
  );
}
