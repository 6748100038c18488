import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { I18nextProvider } from 'react-i18next';
import { changeLanguage, makeI18n } from '../i18n';
import { Dialog } from './Dialog';

function Asking() {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      {/* A browser renders before the press comes to the next listener. */}
      <Dialog isOpen isHeld={isAsked} onClose={() => flushSync(() => setAsked(true))} title="Form">
        <input aria-label="Card" />
      </Dialog>
      <Dialog isOpen={isAsked} onClose={() => flushSync(() => setAsked(false))} title="Question">
        <button>Stay</button>
      </Dialog>
    </>
  );
}

test('a press of Escape closes one dialog: not the question too that it opens', async () => {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  render(
    <I18nextProvider i18n={i18n}>
      <Asking />
    </I18nextProvider>,
  );
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Question' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeVisible();
});
