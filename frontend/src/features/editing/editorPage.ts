import { createContext, useContext } from 'react';

/** Makes the context of an editor's page, for all of its parts, and the hook that reads it; it throws outside of one. */
export function editorPage<Page>() {
  const EditorContext = createContext<Page | undefined>(undefined);
  const useEditor = (): Page => {
    const page = useContext(EditorContext);
    if (!page) throw new Error('A part of an editor stands outside of its page.');
    return page;
  };
  return { EditorContext, useEditor };
}
