import userEvent from '@testing-library/user-event';

/** Somebody at a mouse and a keyboard. */
export function aPointer() {
  const user = userEvent.setup();
  return Object.assign(user, {
    /**
     * Adds a text to a field at once, for tests that are not about typing: key by key a page renders once a key, and
     * on a slow machine a page that saves by itself saves halves. Presses Enter if the text ends with {Enter}.
     */
    async fill(field: Element, text: string) {
      await user.click(field);
      await user.paste(text.replace(/\{Enter\}$/, ''));
      if (text.endsWith('{Enter}')) await user.keyboard('{Enter}');
    },
  });
}
