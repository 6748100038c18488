import type { Language } from '../../domain/languages';
import { paths } from '../../domain/paths';

/** The address of the page about signing in. Not in paths, which every visitor fetches. */
export const securityPath = (language: Language) => `${paths.profile(language, 'me')}security/`;
