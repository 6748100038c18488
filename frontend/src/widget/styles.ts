/**
 * The widget's style sheet. The colours are its own, light or dark; the typeface is the host's, who may choose another
 * for titles by --talkoot-title-font. What else texts inherit from a host is undone. Heights are fixed for two lines of title, so that the
 * skeleton has the final size.
 */
export const styles = `
:host { display: block; contain: content; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; margin: 0; padding: 0; }
.box {
  --surface: #fff; --line: #e4ddcd; --ink: #15231d; --ink2: #4c5a52; --spruce: #17503f; --cloud: #ca6b0b;
  --cloud-text: #8f4700; --track: #f0eadc; --control: #878d82;
  position: relative; padding: 20px; border: 1px solid var(--line); border-radius: 16px; background: var(--surface);
  color: var(--ink); font-size: 14px; font-weight: 400; font-style: normal; font-variant: normal; line-height: 20px;
  letter-spacing: normal; word-spacing: normal; text-transform: none; text-indent: 0; text-shadow: none; white-space: normal;
  text-align: start; overflow-wrap: anywhere; hyphens: manual; cursor: auto;
}
.box[data-theme="dark"] {
  --surface: #141d19; --line: #28342e; --ink: #efece3; --ink2: #b3bdb5; --spruce: #86cba8; --cloud: #f0a044;
  --cloud-text: #f5b869; --track: #28342e; --control: #6f7f75; color-scheme: dark;
}
a { color: inherit; text-decoration: none; border-radius: 4px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--spruce); outline-offset: 2px; }
ul { list-style: none; }
.head { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 28px; }
h2, .title { font-family: var(--talkoot-title-font, inherit); font-weight: 600; }
h2 { font-size: 17px; line-height: 24px; min-width: 0; }
h2.bone { width: 110px; height: 20px; }
.brand { display: flex; align-items: center; gap: 6px; font-weight: 700; font-size: 14px; min-height: 24px; }
.mark { fill: var(--spruce); }
.ring { fill: var(--cloud); }
.item { position: relative; display: grid; column-gap: 12px; }
.title { font-size: 15px; line-height: 20px; }
.item .title { grid-area: title; height: 40px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
a.title::after { content: ""; position: absolute; inset: 0; }
.item:hover a.title { text-decoration: underline; }
.item:focus-within { outline: 2px solid var(--spruce); outline-offset: 3px; border-radius: 10px; }
.item:not(:has(:focus-visible)) { outline: 0; }
.item a.title:focus-visible { outline: 0; }
.cover { grid-area: cover; display: block; width: 100%; height: auto; aspect-ratio: 16 / 10; object-fit: cover; border-radius: 10px; background: var(--track); }
[data-theme="dark"] img.cover { filter: brightness(.88) saturate(.96); }
.reason { grid-area: reason; display: flex; gap: 6px; align-items: center; height: 20px; font-size: 13px; color: var(--ink2); }
.reason span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.icon { flex: none; fill: none; stroke: var(--spruce); stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.bar { grid-area: bar; display: flex; height: 6px; margin: 6px 0; border-radius: 3px; background: var(--track); overflow: hidden; }
.bar.none { visibility: hidden; }
.confirmed { background: var(--cloud); }
.settling { background: repeating-linear-gradient(115deg, var(--cloud) 0 3px, transparent 3px 7px); }
.line { grid-area: line; height: 20px; font-size: 13px; color: var(--ink2); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.line b { color: var(--cloud-text); font-weight: 700; }
.foot { display: flex; align-items: flex-start; justify-content: space-between; gap: 12px; min-height: 24px; }
.why { min-width: 0; }
summary { cursor: pointer; color: var(--spruce); font-weight: 600; line-height: 24px; border-radius: 4px; list-style: none; width: fit-content; }
summary::-webkit-details-marker { display: none; }
.why ul { margin: 8px 0; display: grid; gap: 6px; }
.why li { display: flex; gap: 8px; align-items: center; }
.note { color: var(--ink2); font-size: 13px; line-height: 24px; }
.all { display: inline-block; margin-top: 4px; color: var(--spruce); font-weight: 600; line-height: 24px; }
.cuts { display: block; margin-bottom: 10px; fill: var(--spruce); }
.faint { fill: var(--control); }
.bone { border-radius: 6px; background: var(--track); }
.reason.bone, .line.bone { height: 14px; margin: 3px 0; width: 70%; }
.title.bone { width: 90%; }

[data-size="small"] { padding: 14px; }
[data-size="small"] .item + .item, [data-size="small"] h2, [data-size="small"] .foot { display: none; }
[data-size="small"] .head { position: absolute; right: 14px; bottom: 14px; min-height: 20px; z-index: 1; }
[data-size="small"] .brand { min-height: 24px; }
[data-size="small"] .item { grid-template: ". ." 10px "cover reason" 20px "cover title" 40px "cover ." 14px "bar bar" auto "line line" 24px / 84px minmax(0, 1fr); grid-template-rows: 12px 20px 40px 12px auto 24px; }
[data-size="small"] .cover { width: 84px; height: 84px; aspect-ratio: auto; grid-row: 1 / 5; grid-column: 1; }
[data-size="small"] .bar { margin: 12px 0 8px; }
[data-size="small"] .line { line-height: 24px; height: 24px; padding-right: 86px; }
[data-size="small"] .line.bone { width: 40%; height: 16px; margin: 4px 0; padding: 0; }

[data-size="medium"] .item { grid-template: "cover reason" 20px "cover title" auto "cover bar" auto "cover line" 20px "cover ." 1fr / 96px minmax(0, 1fr); min-height: 133px; column-gap: 14px; padding: 16px 0; border-bottom: 1px solid var(--line); }
[data-size="medium"] .item a.title { height: auto; max-height: 40px; }
[data-size="medium"] .cover { width: 96px; height: 60px; }
[data-size="medium"] .title { margin-top: 2px; }
[data-size="medium"] .foot { min-height: 36px; padding-top: 12px; }

[data-size="wide"] { padding: 22px; }
[data-size="wide"] h2 { font-size: 22px; line-height: 28px; }
[data-size="wide"] .list { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 18px; margin: 12px 0 18px; padding-bottom: 18px; border-bottom: 1px solid var(--line); }
[data-size="wide"] .item { grid-template: "cover" auto "bar" auto "line" 20px "title" auto "reason" 20px / minmax(0, 1fr); align-content: start; }
[data-size="wide"] .bar { margin: 10px 0 6px; }
[data-size="wide"] .title { margin: 6px 0; }
@media (forced-colors: active) { .confirmed { background: Highlight; } .bar { border: 1px solid; } }
`;
