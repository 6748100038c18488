// Webpack plugins: compressed copies of text assets, size budgets, and pages.json, which the content service reads.
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const zlib = require('node:zlib');

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const COMPRESSIBLE = /\.(js|css|svg|json)$/;

/** Writes <name>.br and <name>.gz beside each text asset, so that the server never compresses. */
class PrecompressPlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('Precompress', (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
      compilation.hooks.processAssets.tapPromise({ name: 'Precompress', stage }, async (assets) => {
        const names = Object.keys(assets).filter((name) => COMPRESSIBLE.test(name));
        await Promise.all(
          names.map(async (name) => {
            const bytes = assets[name].buffer();
            const [gz, br] = await Promise.all([
              gzip(bytes, { level: 9 }),
              brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
            ]);
            compilation.emitAsset(`${name}.gz`, new sources.RawSource(gz), { compressed: true });
            compilation.emitAsset(`${name}.br`, new sources.RawSource(br), { compressed: true });
          }),
        );
      });
    });
  }
}

/**
 * Fails the build when a first visit costs more than its budget (bytes after gzip). A visit is the entry, the lazy
 * chunks named in `chunks`, which the page loads at once, and the assets that match `extra`.
 */
class BudgetPlugin {
  constructor({ visit, chunks, extra, js, css }) {
    Object.assign(this, { visit, chunks, extra, js, css });
  }

  apply(compiler) {
    compiler.hooks.thisCompilation.tap('Budget', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tapPromise({ name: 'Budget', stage }, async (assets) => {
        const files = new Set(compilation.entrypoints.get('main').getFiles());
        for (const name of this.chunks) {
          const group = compilation.namedChunkGroups.get(name);
          if (!group) return void compilation.errors.push(new Error(`Budget: no chunk named ${name}.`));
          for (const file of group.getFiles()) files.add(file);
        }
        for (const name of Object.keys(assets)) if (this.extra.test(name)) files.add(name);
        const sum = { js: 0, css: 0 };
        for (const file of files) {
          const kind = file.endsWith('.js') ? 'js' : file.endsWith('.css') ? 'css' : undefined;
          if (kind) sum[kind] += (await gzip(assets[file].buffer(), { level: 9 })).length;
        }
        const line = `${this.visit}: ${kB(sum.js)} of ${kB(this.js)} JavaScript, ${kB(sum.css)} of ${kB(this.css)} CSS (gzip)`;
        if (sum.js > this.js || sum.css > this.css) {
          compilation.errors.push(new Error(`Budget exceeded. ${line}`));
        }
        console.log(line);
      });
    });
  }
}

/**
 * Fails the build when a lazy chunk, with the chunks that load together with it, is larger than its budget (bytes
 * after gzip), or when a chunk in `neverWith` contains one of its modules, so that visitors who do not need it would
 * fetch it.
 */
class PartBudgetPlugin {
  constructor({ part, chunk, js, neverWith }) {
    Object.assign(this, { part, chunk, js, neverWith });
  }

  apply(compiler) {
    compiler.hooks.thisCompilation.tap('PartBudget', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tapPromise({ name: 'PartBudget', stage }, async (assets) => {
        const filesOf = (name) => compilation.namedChunkGroups.get(name)?.getFiles() ?? [];
        const scripts = filesOf(this.chunk).filter((file) => file.endsWith('.js'));
        if (scripts.length === 0)
          return void compilation.errors.push(new Error(`Part budget: no chunk named ${this.chunk}.`));
        let sum = 0;
        for (const file of scripts) sum += (await gzip(assets[file].buffer(), { level: 9 })).length;
        const line = `${this.part}: ${kB(sum)} of ${kB(this.js)} JavaScript (gzip)`;
        if (sum > this.js) compilation.errors.push(new Error(`Budget exceeded. ${line}`));
        // The part's own modules, wherever the bundler has put them.
        const isOwn = (module) => this.neverWith.modules.test(module.nameForCondition?.() ?? '');
        for (const name of this.neverWith.chunks) {
          const chunks =
            compilation.namedChunkGroups.get(name)?.chunks ?? compilation.entrypoints.get(name)?.chunks ?? [];
          const brings = chunks.some((chunk) =>
            [...compilation.chunkGraph.getChunkModulesIterable(chunk)].some(isOwn),
          );
          if (brings) compilation.errors.push(new Error(`${this.part} comes with the chunk ${name}.`));
        }
        console.log(line);
      });
    });
  }
}

/**
 * Writes pages.json beside index.html, for the first paint, which the content service renders: the script and style
 * files of each page and of each language's texts, and the texts themselves.
 */
class PagesPlugin {
  constructor({ pages, pageParts, languages, texts, info }) {
    Object.assign(this, { pages, pageParts, languages, texts, info });
  }

  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    const read = (folder, language) => {
      const file = path.resolve(compiler.context, folder, `${language}.json`);
      return JSON.parse(fs.readFileSync(file, 'utf8'));
    };
    compiler.hooks.thisCompilation.tap('Pages', (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'Pages', stage }, () => {
        const entry = new Set(compilation.entrypoints.get('main').getFiles());
        const filesOf = (name) => {
          const group = compilation.namedChunkGroups.get(name);
          if (!group) compilation.errors.push(new Error(`Pages: no chunk named ${name}.`));
          return group?.getFiles().filter((file) => !entry.has(file) && /\.(js|css)$/.test(file)) ?? [];
        };
        const each = (names, value) => Object.fromEntries(names.map((name) => [name, value(name)]));
        const content = {
          chunks: each(this.pages, filesOf),
          // The empty name stands for the texts of the shell alone.
          catalogues: each(this.languages, (language) => {
            const shell = `texts-${language}`;
            const textsOf = (page) => [
              shell,
              ...(this.pageParts[page] ?? []).map((part) => `${shell}-${part}`),
            ];
            return each(['', ...this.pages], (page) => textsOf(page).flatMap(filesOf));
          }),
          texts: each(this.languages, (language) => read(this.texts, language)),
          info: each(this.languages, (language) => read(this.info, language)),
        };
        compilation.emitAsset('pages.json', new sources.RawSource(JSON.stringify(content)));
        // Scripts by the names of their chunks, which their file names lack; for whoever looks for one of them.
        const named = [...compilation.chunks].filter(({ name }) => name);
        const scriptOf = ({ files }) => [...files].find((file) => file.endsWith('.js'));
        const scripts = Object.fromEntries(named.map((chunk) => [chunk.name, scriptOf(chunk)]));
        compilation.emitAsset('scripts.json', new sources.RawSource(JSON.stringify(scripts)));
      });
    });
  }
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

module.exports = { PrecompressPlugin, BudgetPlugin, PartBudgetPlugin, PagesPlugin };
