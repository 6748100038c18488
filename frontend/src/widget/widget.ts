// The widget that other sites embed with one script tag: <talkoot-suggestions>, with the attributes size, theme, lang,
// topic and place. Where a site may place only the script tag itself, the same as its data attributes put the widget
// behind it. It has no dependencies, sets no cookies and needs of the site's Content-Security-Policy only this origin in
// script-src, connect-src and img-src: styles are a constructed style sheet, and nothing is parsed as HTML.
import { element, icon, mark, cuts } from './draw';
import { styles } from './styles';
import { isDark } from './theme';

interface Suggestion {
  title: string;
  language: string;
  path: string;
  picture: string;
  percent?: number;
  settling_percent?: number;
  state: string;
  reason: Reason;
}

interface Reason {
  kind: string;
  text: string;
}

interface Answer {
  suggestions: Suggestion[];
  texts: {
    heading: string;
    why: string;
    reasons: Reason[];
    about_you: string;
    privacy: string;
    nothing: string;
    all: string;
  };
}

/** How long the platform may take before nothing is drawn, in milliseconds. */
const patience = 10_000;
/** The sizes, and the width in pixels up to which a widget is of one. */
const sizes = [
  ['small', 340],
  ['medium', 600],
  ['wide', Infinity],
] as const;
const count = 3;

const script = document.currentScript as HTMLScriptElement;
const origin = new URL(script.src).origin;
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

class Suggestions extends HTMLElement {
  static observedAttributes = ['size', 'theme', 'lang', 'topic', 'place'];

  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly box = element('section', 'box');
  private asked?: AbortController;
  private readonly watched = new MutationObserver(() => this.restyle());
  private readonly sized = new ResizeObserver(() => this.restyle());
  private readonly scheme = matchMedia('(prefers-color-scheme: dark)');
  private readonly restyleBound = () => this.restyle();

  connectedCallback() {
    this.root.adoptedStyleSheets = [sheet];
    this.root.append(this.box);
    this.restyle();
    this.sized.observe(this);
    // The host's theme is usually a class or an attribute of one of these.
    for (const part of [document.documentElement, document.body])
      this.watched.observe(part, { attributes: true });
    this.scheme.addEventListener('change', this.restyleBound);
    this.loadSoon();
  }

  disconnectedCallback() {
    this.asked?.abort();
    this.sized.disconnect();
    this.watched.disconnect();
    this.scheme.removeEventListener('change', this.restyleBound);
  }

  attributeChangedCallback(name: string) {
    if (!this.isConnected) return;
    if (name === 'size' || name === 'theme') this.restyle();
    else this.loadSoon();
  }

  private isDue = false;

  /** Asks once for all attributes that are set at a time. */
  private loadSoon() {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (this.isConnected) void this.load();
    });
  }

  private get language() {
    const asked = (this.lang || this.closest<HTMLElement>('[lang]')?.lang || '').slice(0, 2).toLowerCase();
    return ['fi', 'en', 'sv'].includes(asked) ? asked : 'fi';
  }

  private restyle() {
    const wanted = sizes.findIndex(([name]) => name === this.getAttribute('size'));
    const fitting = sizes.findIndex(([, most]) => this.clientWidth <= most);
    // What is asked for is the largest: three pictures side by side do not fit into a phone's column.
    const chosen = sizes[wanted < 0 ? fitting : Math.min(wanted, fitting)];
    this.box.dataset.size = chosen?.[0];
    this.box.dataset.theme = isDark(this) ? 'dark' : 'light';
  }

  private async load() {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const timer = setTimeout(() => asked.abort(), patience);
    this.hidden = false;
    this.draw([head(), list(Array.from({ length: count }, skeleton)), foot()]);
    this.box.ariaBusy = 'true';
    try {
      const query = new URLSearchParams({ limit: String(count) });
      for (const name of ['topic', 'place']) {
        const value = this.getAttribute(name);
        if (value) query.set(name, value);
      }
      const response = await fetch(`${origin}/content/recommendations/${this.language}/?${query}`, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: asked.signal,
      });
      if (!response.ok) throw new Error(String(response.status));
      const answer = (await response.json()) as Answer;
      if (asked !== this.asked) return;
      this.box.lang = this.language;
      this.box.ariaLabel = answer.texts.heading;
      this.draw(this.parts(answer));
    } catch {
      // A page without suggestions is better than one with an error of somebody else's.
      if (asked === this.asked) this.hidden = true;
    } finally {
      clearTimeout(timer);
      if (asked === this.asked) this.box.ariaBusy = null;
    }
  }

  private draw(parts: Node[]) {
    this.box.replaceChildren(...parts);
  }

  private parts({ suggestions, texts }: Answer): Node[] {
    const home = `${origin}${this.language === 'fi' ? '' : `/${this.language}`}`;
    if (suggestions.length === 0) {
      const all = element('a', 'all', texts.all);
      all.href = `${home}/campaigns/`;
      return [cuts(), element('p', 'title', texts.nothing), all];
    }
    const why = element('details', 'why');
    why.append(element('summary', '', texts.why));
    const reasons = element('ul');
    for (const reason of texts.reasons) {
      const item = element('li');
      item.append(icon(reason.kind), element('span', '', reason.text));
      reasons.append(item);
    }
    why.append(reasons, element('p', 'note', texts.about_you));
    return [
      head(texts.heading, `${home}/`),
      list(suggestions.map((suggestion) => this.item(suggestion))),
      foot(why, element('p', 'note', texts.privacy)),
    ];
  }

  private item(suggestion: Suggestion) {
    const {
      title,
      language,
      path,
      picture,
      percent,
      settling_percent: settling = 0,
      state,
      reason,
    } = suggestion;
    const cover = element('img', 'cover');
    Object.assign(cover, { loading: 'lazy', decoding: 'async', alt: '', width: 384, height: 240 });
    cover.crossOrigin = 'anonymous'; // asked for without cookies
    cover.referrerPolicy = 'no-referrer';
    cover.src = `${origin}/media/384x240/${encodeURIComponent(picture)}`;
    const link = element('a', 'title', title);
    link.href = origin + path;
    if (language !== this.language) link.lang = language;
    const why = element('p', 'reason');
    why.append(icon(reason.kind), element('span', '', reason.text));
    const line = element('p', 'line');
    if (percent !== undefined) {
      const share = new Intl.NumberFormat(this.language, { style: 'percent' }).format(percent / 100);
      line.append(element('b', '', share), ' ');
    }
    line.append(state);
    const item = element('li', 'item');
    item.append(cover, link, why, progress(percent, settling), line);
    return item;
  }
}

/** The bar is decoration: the line below it says the same in words. */
function progress(percent: number | undefined, settling: number) {
  const bar = element('span', percent === undefined ? 'bar none' : 'bar');
  for (const [name, share] of [
    ['confirmed', Math.min(percent ?? 0, 100)],
    ['settling', Math.min(settling, 100 - Math.min(percent ?? 0, 100))],
  ] as const) {
    const part = element('span', name);
    part.style.width = `${share}%`;
    bar.append(part);
  }
  return bar;
}

function head(text = '', href?: string) {
  const link = element('a', 'brand');
  link.append(mark(), element('span', '', 'Talkoot'));
  if (href) link.href = href;
  const row = element('div', 'head');
  row.append(element('h2', text ? '' : 'bone', text), link);
  return row;
}

function list(items: Node[]) {
  const rows = element('ul', 'list');
  rows.append(...items);
  return rows;
}

function skeleton() {
  const item = element('li', 'item');
  for (const name of ['cover', 'title', 'reason', 'bar', 'line'])
    item.append(element('span', `${name} bone`));
  return item;
}

function foot(...parts: Node[]) {
  const row = element('div', 'foot');
  row.append(...parts);
  return row;
}

// A page may have the script twice.
if (!customElements.get('talkoot-suggestions')) customElements.define('talkoot-suggestions', Suggestions);

const given = Suggestions.observedAttributes.flatMap((name) => {
  const value = script.dataset[name];
  return value === undefined ? [] : [[name, value] as const];
});
if (given.length > 0) {
  const widget = document.createElement('talkoot-suggestions');
  for (const [name, value] of given) widget.setAttribute(name, value);
  script.after(widget);
}
