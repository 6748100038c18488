export interface StoryProps {
  /** HTML that the content service has sanitised. */
  html: string;
}

/** A campaign's story; styles/story.css styles its elements. */
export function Story({ html }: StoryProps) {
  return <div className="tk-story" dangerouslySetInnerHTML={{ __html: html }} />;
}
