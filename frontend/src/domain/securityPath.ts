import type { Language } from './languages';
import { paths } from './paths';

/** The address of the page about signing in. Not in paths, which every visitor fetches. */
export const securityPath = (language: Language) => `${paths.profile(language, 'me')}security/`;
