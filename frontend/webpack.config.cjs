const path = require('node:path');
const HtmlWebpackPlugin = require('html-webpack-plugin');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');
const CssMinimizerPlugin = require('css-minimizer-webpack-plugin');
const TerserPlugin = require('terser-webpack-plugin');
const { PrecompressPlugin, BudgetPlugin, PartBudgetPlugin, PagesPlugin } = require('./build/assets.cjs');
const pages = require('./src/app/pages.generated.json');

const routerDist = path.join(path.dirname(require.resolve('react-router/package.json')), 'dist/production');
const routerFiles = {
  'react-router$': path.join(routerDist, 'index.mjs'),
  'react-router/dom$': path.join(routerDist, 'dom-export.mjs'),
};

const platform = process.env.TALKOOT_URL ?? 'http://localhost:8080';

module.exports = (_env, { mode = 'development' }) => {
  const production = mode === 'production';
  const name = production ? '[name].[contenthash:8]' : '[name]';
  // Without the chunk's name: a first visit has the file names of all chunks (dist/scripts.json has the names).
  const chunkName = production ? '[contenthash:6]' : '[name]';
  return {
    mode,
    target: 'browserslist',
    entry: {
      main: './src/app/main.tsx',
      // Other sites' pages name it, so its name has no hash.
      widget: { import: './src/widget/widget.ts', filename: 'assets/widget.js' },
    },
    output: {
      path: path.resolve(__dirname, 'dist'),
      publicPath: '/',
      filename: `assets/${name}.js`,
      chunkFilename: `assets/${chunkName}.js`,
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      clean: true,
    },
    devtool: production ? false : 'eval-source-map',
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      // react-router's exports resolve to its development build in every mode, so name the production files.
      alias: production ? routerFiles : {},
    },
    module: {
      rules: [
        { test: /\.tsx?$/, exclude: /node_modules/, loader: 'swc-loader' },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: 'css-loader',
              options: {
                modules: {
                  auto: true,
                  namedExport: false,
                  exportLocalsConvention: 'as-is',
                  // The hash is of the path, so that files of the same name do not collide; readable in development.
                  localIdentName: production ? 'tk-[hash:base64:5]' : 'tk-[name]-[local]-[hash:base64:4]',
                },
              },
            },
          ],
        },
        ...(production
          ? [
              {
                test: /react-router\/dist\/production\/chunk-\w+\.mjs$/,
                loader: path.resolve('build/router.cjs'),
              },
              // Here and not at the end, because index.html refers to it by the hash of what this gives.
              {
                test: /styles\/first\.js$/,
                loader: 'swc-loader',
                options: {
                  swcrc: false,
                  isModule: false,
                  minify: true,
                  jsc: { target: 'es5', minify: { compress: true, mangle: true } },
                },
              },
            ]
          : []),
        { test: /pages\.generated\.json$/, loader: path.resolve('build/pages.cjs') },
        { test: /\.json$/, resourceQuery: /part=|language=/, loader: path.resolve('build/texts.cjs') },
        { test: /\.woff2$/, type: 'asset/resource' },
        { test: /\.svg$/, type: 'asset/resource' },
        { resourceQuery: /url/, type: 'asset/resource' },
        { resourceQuery: /inline/, type: 'asset/inline' },
      ],
    },
    optimization: {
      splitChunks: {
        chunks: 'all',
        cacheGroups: {
          // Scripts only: a vendor stylesheet would be linked before ours, and so the library's cascade layer would be
          // declared before the base layer, which it has to override.
          defaultVendors: {
            test: /[\\/]node_modules[\\/]/,
            type: /^javascript/,
            priority: -10,
            reuseExistingChunk: true,
          },
          // Changes with the lock file only, so it stays in a returning visitor's cache.
          fixed: {
            test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@reduxjs|redux|react-redux|immer|reselect)[\\/]/,
            name: 'fixed',
            chunks: 'initial',
          },
        },
      },
      minimizer: [
        new TerserPlugin({
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          exclude: /assets\/first\./, // It is minified already.
          terserOptions: { compress: { passes: 3 }, mangle: true, ecma: 2022 },
        }),
        new CssMinimizerPlugin({
          minify: CssMinimizerPlugin.lightningCssMinify,
          // Targets without light-dark(), so that a fallback is written for the browsers that lack it.
          minimizerOptions: { targets: { safari: 16 << 16, chrome: 109 << 16, firefox: 115 << 16 } },
        }),
      ],
    },
    performance: false, // BudgetPlugin measures the compressed size of a visit instead.
    plugins: [
      new HtmlWebpackPlugin({
        template: './src/index.ejs',
        inject: false,
        chunks: ['main'],
        minify: false, // The content service searches for the template's markers verbatim.
      }),
      new MiniCssExtractPlugin({ filename: `assets/${name}.css`, chunkFilename: `assets/${chunkName}.css` }),
      new PagesPlugin({
        pages: pages.map((page) => page.name),
        languages: ['fi', 'en', 'sv'],
        pageParts: require('./src/i18n/pageParts.json'),
        texts: 'src/i18n',
        info: 'src/features/info',
      }),
      ...(production
        ? [
            new PrecompressPlugin(),
            new BudgetPlugin({
              visit: 'First visit to the home page',
              chunks: ['home', 'texts-fi'],
              extra: /assets\/first\.[0-9a-f]+\.js$/,
              js: 175_000,
              css: 10_000,
            }),
            new PartBudgetPlugin({
              part: 'Editor of formatted text',
              chunk: 'rich-text',
              js: 150_000,
              neverWith: {
                modules:
                  /[\\/](@tiptap|prosemirror-[a-z]+|features[\\/]editing[\\/]richText[\\/]RichTextEditor)/,
                chunks: ['main', ...pages.map((page) => page.name)],
              },
            }),
            new PartBudgetPlugin({
              part: 'Widget on other sites',
              chunk: 'widget',
              js: 10_000,
              neverWith: {
                modules: /[\\/]src[\\/]widget[\\/]/,
                chunks: ['main', ...pages.map((page) => page.name)],
              },
            }),
          ]
        : []),
    ],
    stats: production ? 'errors-warnings' : 'minimal',
    devServer: {
      port: 3000,
      historyApiFallback: true,
      proxy: [{ context: ['/content', '/payments', '/media'], target: platform, changeOrigin: false }],
    },
  };
};
