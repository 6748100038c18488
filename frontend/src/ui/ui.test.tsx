import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { changeLanguage, makeI18n } from '../i18n';
import { ErrorState } from './ErrorState';
import { mediaUrl, Picture } from './Picture';
import { Progress } from './Progress';
import { StageDots } from './StageDots';

async function show(element: ReactNode) {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  return render(<I18nextProvider i18n={i18n}>{element}</I18nextProvider>);
}

test('the progress bar has one sentence as its text alternative', async () => {
  await show(<Progress confirmed={18_420} settling={1_240} goal={24_000} />);
  expect(
    screen.getByRole('img', { name: '82% of the goal. Confirmed €18,420, on its way €1,240, goal €24,000.' }),
  ).toBeVisible();
});

test('the text alternative says that the goal is exceeded', async () => {
  await show(<Progress confirmed={31_640} goal={28_000} />);
  expect(screen.getByRole('img', { name: /^113% .* The goal is passed\.$/ })).toBeVisible();
});

test.each([
  ['unconfirmed money', 3_000, 300, /€200 is still missing from the goal\.$/],
  ['exactly the goal', 3_200, 0, /goal €3,200\.$/],
])(
  'a bar that is full by %s does not claim that the goal is exceeded',
  async (_, confirmed, settling, name) => {
    await show(<Progress confirmed={confirmed} settling={settling} goal={3_200} />);
    const bar = screen.getByRole('img', { name });
    expect(bar).not.toHaveAccessibleName(/passed/);
  },
);

test('a bar that looks full before the goal is reached shows the missing amount', async () => {
  await show(<Progress confirmed={3_186} settling={14} goal={3_200} hasLegend />);
  expect(screen.getByText('€14 is still missing from the goal.')).toBeVisible();
});

test('rounding does not say 100 % before the goal is reached', async () => {
  await show(<Progress confirmed={3_186} goal={3_200} />);
  expect(screen.getByRole('img', { name: /^99% of the goal\. .* goal €3,200\.$/ })).toBeVisible();
});

test('the text alternative says that the minimum goal is reached', async () => {
  await show(<Progress confirmed={13_000} goal={24_000} minGoal={12_000} />);
  expect(screen.getByRole('img', { name: /The minimum goal of €12,000 is reached\.$/ })).toBeVisible();
});

test('a hidden sum is neither in the bar nor in its text alternative', async () => {
  await show(<Progress confirmed={18_420} goal={24_000} isHidden hasLegend />);
  expect(screen.getByRole('img', { name: 'The creator has hidden the sum' })).toBeVisible();
  expect(document.body).not.toHaveTextContent('18');
});

test('a picture reserves its space and offers several widths', async () => {
  await show(<Picture name="höyry 1.jpg" alt="Sauna boat" ratio={1.6} widths={[400, 800]} sizes="50vw" />);
  const image = screen.getByRole('img', { name: 'Sauna boat' });
  expect(image).toHaveAttribute('width', '800');
  expect(image).toHaveAttribute('height', '500');
  expect(image).toHaveAttribute('loading', 'lazy');
  expect(image).toHaveAttribute(
    'srcset',
    '/media/400x250/h%C3%B6yry%201.jpg 400w, /media/800x500/h%C3%B6yry%201.jpg 800w',
  );
  expect(mediaUrl('a.jpg', 1, 2)).toBe('/media/1x2/a.jpg');
});

test('the stage dots have the stage’s name as text alternative', async () => {
  await show(<StageDots stage={2} />);
  expect(screen.getByRole('img', { name: 'Stage 3/7: Running' })).toBeVisible();
});

test('the error state has a retry button', async () => {
  const retry = jest.fn();
  await show(<ErrorState onRetry={retry}>Nothing was lost.</ErrorState>);
  expect(screen.getByRole('alert')).toHaveTextContent('Nothing was lost.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledTimes(1);
});
