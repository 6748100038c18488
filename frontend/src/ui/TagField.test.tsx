import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { renderPart } from '../../test/part';
import { AppMantineProvider } from './AppMantineProvider';
import { TagField, type Tag } from './TagField';

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const all = ['elokuva', 'järvi', 'sauna', 'soutu'].map((label, place) => ({ id: place + 1, label }));

function Chosen({ most }: { most: number }) {
  const [tags, setTags] = useState<readonly Tag[]>([all[2]!]);
  return (
    <AppMantineProvider>
      <TagField
        tags={tags}
        all={all}
        most={most}
        onChange={setTags}
        label="Lisää avainsana"
        help={`Enintään ${most}`}
        listLabel="Avainsanat"
        unknown={(word) => `${word} ei ole avainsana`}
        remove={(name) => `Poista ${name}`}
      />
    </AppMantineProvider>
  );
}

const field = () => screen.getByRole('combobox', { name: 'Lisää avainsana' });
const chosen = () => within(screen.getByRole('list', { name: 'Avainsanat' })).getAllByRole('listitem');

test('the list has what is not chosen, narrows to what is typed, and is gone through by keyboard', async () => {
  const { pointer } = await renderPart(<Chosen most={3} />);
  await pointer.click(field());
  const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(names()).toEqual(['elokuva', 'järvi', 'soutu']);
  await pointer.type(field(), 'u');
  expect(names()).toEqual(['elokuva', 'soutu']);
  await pointer.type(field(), '{ArrowDown}{ArrowDown}{Enter}');
  expect(chosen().map(({ textContent }) => textContent)).toEqual(['sauna', 'soutu']);
  expect(field()).toHaveValue('');
});

test('a word is taken in any letters, once, and one that is no tag is said and stays', async () => {
  const { pointer } = await renderPart(<Chosen most={3} />);
  await pointer.type(field(), 'SAUNA{Enter}JÄRVI,');
  expect(chosen().map(({ textContent }) => textContent)).toEqual(['sauna', 'järvi']);
  await pointer.type(field(), 'avaruus');
  await pointer.tab();
  expect(screen.getByText('avaruus ei ole avainsana')).toBeVisible();
  expect(field()).toHaveValue('avaruus');
});

test('when it is full nothing can be typed, and taking one away leads back to the field', async () => {
  const { pointer } = await renderPart(<Chosen most={1} />);
  await pointer.click(field());
  expect(screen.queryByRole('option')).not.toBeInTheDocument();
  await pointer.type(field(), 'soutu{Enter}');
  expect(chosen()).toHaveLength(1);
  await pointer.click(screen.getByRole('button', { name: 'Poista sauna' }));
  expect(field()).toHaveFocus();
  await pointer.type(field(), 'soutu{Enter}');
  expect(chosen().map(({ textContent }) => textContent)).toEqual(['soutu']);
});
