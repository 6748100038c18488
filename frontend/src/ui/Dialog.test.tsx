import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
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

async function show(dialogs: ReactNode) {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  render(<I18nextProvider i18n={i18n}>{dialogs}</I18nextProvider>);
}

test('a press of Escape closes one dialog: not the question too that it opens', async () => {
  await show(<Asking />);
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Question' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeVisible();
});

function Asked({ isHeld = false }) {
  const [isOpen, setOpen] = useState(true);
  const [isAsked, setAsked] = useState(true);
  return (
    <>
      <Dialog isOpen={isOpen} onClose={() => flushSync(() => setOpen(false))} title="Form">
        <input aria-label="Why" />
      </Dialog>
      <Dialog
        isOpen={isAsked}
        isHeld={isHeld}
        onClose={() => flushSync(() => setAsked(false))}
        title="Question"
      >
        <button>Stay</button>
      </Dialog>
    </>
  );
}

test('a press of Escape closes the upper one of two dialogs, and leaves what was typed in the other', async () => {
  await show(<Asked />);
  await userEvent.type(screen.getByLabelText('Why'), 'advertises');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Question' })).toBeNull();
  expect(screen.getByLabelText('Why')).toHaveValue('advertises');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('below a dialog that is held a press of Escape closes none', async () => {
  await show(<Asked isHeld />);
  await userEvent.keyboard('{Escape}');
  expect(screen.getAllByRole('dialog')).toHaveLength(2);
});
