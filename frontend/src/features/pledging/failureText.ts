import type { TFunction } from 'i18next';
import { resolveError } from '../../api/errors';
import type { Language } from '../../domain/languages';
import { stillClosing, type Failure } from './flow/failures';

/** The sentence for a submission that stopped. */
export function failureText({ error }: Failure, t: TFunction, language: Language): string {
  return error.status === stillClosing
    ? t('pledge.stillClosing')
    : resolveError(error, language, 'PledgePage');
}
