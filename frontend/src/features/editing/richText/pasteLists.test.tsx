import { act, screen, waitFor } from '@testing-library/react';
import { aUser } from '../../../../test/builders';
import { installEditor, paste } from '../../../../test/editor';
import { renderPart } from '../../../../test/part';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import type { Doc } from './document';
import { RichText } from './RichText';

installEditor();

const item = (words: string) => ({
  type: 'listItem',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
});

test.each<[string, Record<string, string>, object]>([
  [
    'plain lines',
    { 'text/plain': '- puut\n- vesi' },
    { type: 'bulletList', content: [item('puut'), item('vesi')] },
  ],
  [
    'a list that goes on',
    { 'text/html': '<ol start="3"><li><p>puut</p></li></ol>', 'text/plain': 'puut' },
    { type: 'orderedList', attrs: { start: 3 }, content: [item('puut')] },
  ],
  [
    'a list whose number the server would refuse',
    { 'text/html': '<ol start="-3"><li><p>puut</p></li></ol>', 'text/plain': 'puut' },
    { type: 'orderedList', content: [item('puut')] },
  ],
])('%s are pasted as the page will show them', async (_, data, want) => {
  const told: Doc[] = [];
  await renderPart(
    <AppMantineProvider>
      <RichText
        label="Tarina"
        doc={{ type: 'doc', content: [] }}
        lang="fi"
        pictures={{ campaignId: 3 }}
        placeholder="Jatka tästä"
        onChange={(next) => told.push(next)}
      />
    </AppMantineProvider>,
    { user: aUser() },
  );
  const box = await screen.findByRole('textbox', { name: 'Tarina' });
  act(() => {
    box.focus();
    paste(box, data);
  });
  await waitFor(() => expect(told.at(-1)?.content[0]).toEqual(want));
});
