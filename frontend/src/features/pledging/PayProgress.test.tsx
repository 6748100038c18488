import { act, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { languages, type Language } from '../../domain/languages';
import { changeLanguage, makeI18n } from '../../i18n';
import { loadTexts } from '../../i18n/texts';
import type { FlowState } from './flow/machine';
import { PayProgress } from './PayProgress';

afterEach(() => jest.useRealTimers());

/** Shows a state, and gives what is said of it after so many seconds. */
async function show(state: FlowState, language: Language = 'en') {
  const i18n = makeI18n(language);
  await changeLanguage(i18n, language);
  await loadTexts(i18n, language, ['pledge']);
  jest.useFakeTimers();
  const progress = (now: FlowState) => (
    <I18nextProvider i18n={i18n}>
      <PayProgress state={now} isMonthly={false} isReady hasLoadFailed={false} />
    </I18nextProvider>
  );
  const { rerender } = render(progress(state));
  const after = (seconds: number) => {
    act(() => {
      jest.advanceTimersByTime(seconds * 1_000);
    });
    return screen.getByRole('status').textContent;
  };
  return { i18n, after, next: (now: FlowState) => rerender(progress(now)) };
}

test('a confirmation that takes less than a minute is said to, and later that it is not known and not to be paid again', async () => {
  const { after } = await show({ name: 'confirming' });
  expect(after(7)).toBe('The bank is confirming the payment.');
  expect(after(2)).toMatch(/less than a minute/);
  expect(after(50)).toMatch(/less than a minute/);
  const said = after(2);
  expect(said).not.toMatch(/less than a minute/);
  expect(said).toMatch(
    /longer than usual.*do not know yet.*Do not pay again.*leave this page open or close it/,
  );
  expect(screen.getByText('Do not pay again.').tagName).toBe('STRONG');
});

test.each<FlowState>([
  { name: 'creating' },
  { name: 'settingUp', pledgeId: 'p' },
  { name: 'openingPage', pledgeId: 'p' },
])(
  'after half a minute of $name: the connection is slow, nothing is charged, and what helps',
  async (state) => {
    const { after, next } = await show(state);
    expect(after(29)).not.toMatch(/charged/);
    expect(after(2)).toMatch(/connection is slow.*Nothing has been charged yet.*reload the page/);
    // Of the confirmation nobody can say that.
    next({ name: 'confirming' });
    expect(after(31)).not.toMatch(/charged/);
  },
);

test.each(languages)('in %s there are texts for all of it', async (language) => {
  const { after, i18n } = await show({ name: 'confirming' }, language);
  expect(after(61)).toContain(i18n.t('pledge.step.long').replaceAll(/<.?b>/g, ''));
  expect(i18n.t('pledge.step.stuck')).not.toContain('pledge.');
});
