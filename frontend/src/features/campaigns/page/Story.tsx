export interface StoryProps {
  /** HTML that the content service has sanitised. */
  html: string;
}

/** A story as the server wrote it; styles/first.css knows its parts. */
export function Story({ html }: StoryProps) {
  return <div className="tk-story" dangerouslySetInnerHTML={{ __html: html }} />;
}
