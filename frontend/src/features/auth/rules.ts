import { all, confirmed, email, maxLength, minLength, required } from '../../domain/rules';
import type { RuleTable } from '../../ui/useAppForm';

/** The values of the sign-in form. */
export interface SignInValues {
  email: string;
  password: string;
}

/** The values of the sign-up form. */
export interface SignUpValues extends SignInValues {
  first_name: string;
  last_name: string;
  password_again: string;
}

/** The rules of the sign-in form. */
export const signInRules: RuleTable<SignInValues> = {
  email: all(required, email),
  password: required,
};

/** The rules of the sign-up form; the limits are the contract's. */
export const signUpRules: RuleTable<SignUpValues> = {
  first_name: all(required, maxLength(100)),
  last_name: all(required, maxLength(100)),
  email: all(required, email, maxLength(254)),
  password: all(required, minLength(8), maxLength(200)),
  password_again: all(
    required,
    confirmed<SignUpValues>((values) => values.password),
  ),
};
