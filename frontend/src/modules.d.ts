declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
declare module '*.woff2' {
  const address: string;
  export default address;
}
declare module '*?part=shell' {
  const texts: object;
  export default texts;
}
declare module '*?part=inner' {
  const texts: object;
  export default texts;
}
declare module '*?part=forms' {
  const texts: object;
  export default texts;
}
declare module '*?part=pledge' {
  const texts: object;
  export default texts;
}
declare module '*?part=editing' {
  const texts: object;
  export default texts;
}
declare module '*?part=overview' {
  const texts: object;
  export default texts;
}
declare module '*?part=own' {
  const texts: object;
  export default texts;
}
declare module '*?part=menu' {
  const texts: object;
  export default texts;
}
declare module '*?part=ledger' {
  const texts: object;
  export default texts;
}
declare module '*?part=desk' {
  const texts: object;
  export default texts;
}
declare module '*?part=claims' {
  const texts: object;
  export default texts;
}
declare module '*?part=people' {
  const texts: object;
  export default texts;
}
declare module '*?part=search' {
  const texts: object;
  export default texts;
}
declare module '*?language=fi' {
  const texts: object;
  export default texts;
}
declare module '*?language=en' {
  const texts: object;
  export default texts;
}
declare module '*?language=sv' {
  const texts: object;
  export default texts;
}
