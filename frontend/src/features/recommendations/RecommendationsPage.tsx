import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/fields';
import { useNotify } from '../../ui/notify';
import { Segments, type SegmentsProps } from '../../ui/Segments';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './RecommendationsPage.module.css';

const sizes = ['small', 'medium', 'wide'] as const;
const themes = ['auto', 'light', 'dark'] as const;
/** The widths at which the widget is tried, in pixels: one of each size. */
const widths = { small: 300, medium: 360, wide: 680 } as const;

/** The test bed of suggestions: the widget as other sites embed it, with its attributes to choose, and the snippet. */
export function Component() {
  const { t } = useTranslation();
  const page = useLanguage();
  const notify = useNotify();
  usePageTitle(t('recommendations.title'));
  const [size, setSize] = useState<(typeof sizes)[number]>('wide');
  const [theme, setTheme] = useState<(typeof themes)[number]>('auto');
  const [language, setLanguage] = useState<Language>(page);
  const [topic, setTopic] = useState('');
  const [place, setPlace] = useState('');
  const attributes = { size, theme, lang: language, topic: topic.trim(), place: place.trim() };
  const snippet = snippetOf(attributes);
  const tag = tagOf(attributes);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(snippet);
      notify({ tone: 'success', title: t('recommendations.copied') });
    } catch {
      // No permission or no clipboard: the snippet can still be copied by hand.
    }
  };
  return (
    <AppMantineProvider>
      <article className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('recommendations.title')}</h1>
        <p className="tk-lead">{t('recommendations.lead')}</p>
        <div className={classes.columns}>
          <div className={classes.choices}>
            <TextField
              label={t('recommendations.topic')}
              help={t('recommendations.topicHelp')}
              isOptional
              maxLength={200}
              value={topic}
              onChange={({ currentTarget }) => setTopic(currentTarget.value)}
            />
            <TextField
              label={t('recommendations.place')}
              isOptional
              maxLength={100}
              value={place}
              onChange={({ currentTarget }) => setPlace(currentTarget.value)}
            />
            <Choice
              label={t('recommendations.size')}
              value={size}
              segments={sizes.map((value) => ({ value, label: t(`recommendations.${value}`) }))}
              onChange={setSize}
            />
            <Choice
              label={t('recommendations.theme')}
              value={theme}
              segments={themes.map((value) => ({ value, label: t(`recommendations.${value}`) }))}
              onChange={setTheme}
            />
            <Choice
              label={t('recommendations.language')}
              value={language}
              segments={languages.map((value) => ({ value, label: value.toUpperCase() }))}
              onChange={setLanguage}
            />
          </div>
          <div className={classes.trial}>
            <h2>{t('recommendations.trial')}</h2>
            <Widget key={JSON.stringify(attributes)} attributes={attributes} width={widths[size]} />
          </div>
        </div>
        <h2>{t('recommendations.snippet')}</h2>
        <p>{t('recommendations.needs', { origin: location.origin })}</p>
        <pre className={classes.snippet}>
          <code>{snippet}</code>
        </pre>
        <Button variant="outline" onClick={() => void copy()}>
          {t('recommendations.copy')}
        </Button>
        <p>{t('recommendations.follows')}</p>
        <p>{t('recommendations.tagAlone')}</p>
        <pre className={classes.snippet}>
          <code>{tag}</code>
        </pre>
      </article>
    </AppMantineProvider>
  );
}

type Attributes = Readonly<Record<string, string>>;

/** What a site puts into its page. */
function snippetOf(attributes: Attributes): string {
  const given = written(attributes, '');
  return `<script src="${location.origin}/widget.js" async></script>\n<talkoot-suggestions${given}></talkoot-suggestions>`;
}

/** The same where only a script tag may be put. */
function tagOf(attributes: Attributes): string {
  return `<script src="${location.origin}/widget.js" async${written(attributes, 'data-')}></script>`;
}

function written(attributes: Attributes, prefix: string): string {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${prefix}${name}="${escaped(value)}"`)
    .join('');
}

/** A segmented control under a label that is seen. */
function Choice<Value extends string>(props: SegmentsProps<Value>) {
  return (
    <div className={classes.choice}>
      <span aria-hidden="true">{props.label}</span>
      <Segments {...props} />
    </div>
  );
}

interface WidgetProps {
  attributes: Attributes;
  /** Pixels. */
  width: number;
}

/** The widget, by the same script and element as on another site. */
function Widget({ attributes, width }: WidgetProps) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const widget = document.createElement('talkoot-suggestions');
    for (const [name, value] of Object.entries(attributes)) if (value) widget.setAttribute(name, value);
    holder.current?.replaceChildren(widget);
    if (customElements.get('talkoot-suggestions')) return;
    const script = document.createElement('script');
    script.src = '/widget.js';
    document.head.append(script);
    // The attributes are the key of this component.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return <div ref={holder} className={classes.widget} style={{ maxWidth: width }} />;
}
