import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { manifestPlugin } from './manifest-plugin.ts'

const root = import.meta.dirname
const top = join(root, '../..')

/** Small files that many screens share, none of which needs a library of its own. */
const commonFile = new RegExp(
  [
    'kit/domain/',
    'kit/web/(record-actions|screen-action|chosen-project|refusal-faults|date-picker|marked-text)\\.tsx?',
    'estates/web/(public|use-project|chosen-project)\\.tsx?',
    '(Copy|Delete|Edit|Ellipsis|Left|Printer|Right)Outlined',
  ]
    .join('|')
    .replaceAll('/', '[\\\\/]'),
)

export default defineConfig({
  root,
  plugins: [react(), manifestPlugin(top)],
  resolve: {
    alias: [
      { find: /^#(kit|modules|apps)\//, replacement: `${top}/$1/` },
      // The library falls back on English texts where none are given; here the Chinese ones are always given.
      { find: /\/en_US$/, replacement: '/zh_CN' },
      // By default its icons announce their English names.
      { find: /^\.\.\/components\/AntdIconLight$/, replacement: `${top}/kit/web/antd-icon.tsx` },
      // Its drawers bring a placeholder that the product never shows.
      { find: /^\.\.\/skeleton$/, replacement: `${top}/kit/web/antd-skeleton.tsx` },
      // Escape closes the dialog on top, also after one was drawn twice.
      { find: /^\.\/useEscKeyDown$/, replacement: `${top}/kit/web/antd-escape-keys.ts` },
      // Parts that it puts into every page and no screen uses.
      {
        find: /^(\.\/(OTP|Search|confirm|useModal)|\.{1,2}\/(tooltip\/)?UniqueProvider)$/,
        replacement: `${top}/kit/web/antd-stubs.tsx`,
      },
    ],
  },
  // The page and the interface share one origin, so that the live connection and cookies need nothing more.
  server: { port: 5173, proxy: { '/api': { target: process.env.API ?? 'http://127.0.0.1:8100', ws: true } } },
  build: {
    outDir: join(top, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    rolldownOptions: {
      // The library's parts do not declare that they are free of side effects, but they are: what no screen
      // uses (its forms with their validator) stays out.
      treeshake: {
        moduleSideEffects: [
          { test: /node_modules[\\/](@rc-component|@ant-design)[\\/]/, sideEffects: false },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            // In layers, each with everything it needs that no earlier layer has: a page requests few files,
            // all of them needed.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
              priority: 30,
            },
            { name: 'start', tags: ['$initial'], priority: 25 },
            {
              name: 'words',
              test: /kit[\\/](contract[\\/]|domain[\\/]records)|accounts[\\/]contract[\\/]sign-in\.ts/,
              priority: 22,
            },
            {
              name: 'auth',
              test: /accounts[\\/]web[\\/]auth-layout\.tsx|node_modules[\\/](antd[\\/]es[\\/](button|input|checkbox)[\\/]|@ant-design[\\/]icons[\\/]es[\\/]icons[\\/]\w+CircleFilled)/,
              priority: 20,
            },
            {
              name: 'shell',
              test: /kit[\\/]web[\\/](shell[\\/]shell\.tsx|use-live-refetch\.ts)|apps[\\/]web[\\/](signed-in-shell|host|connect-kit|tasks)\.tsx?/,
              priority: 15,
            },
            // What a form or the cashier shares with lists, without the lists themselves.
            {
              name: 'select',
              test: /antd[\\/]es[\\/](select|switch)[\\/]|kit[\\/]web[\\/](allow-clear|list[\\/]list-states)\.tsx|(Search|Plus|Reload|Delete)Outlined/,
              priority: 12,
            },
            { name: 'list', test: /kit[\\/]web[\\/](list[\\/]list-page|columns)\.tsx/, priority: 10 },
            {
              name: 'dialog',
              test: /kit[\\/]web[\\/]confirm[\w-]*\.tsx|antd[\\/]es[\\/]modal[\\/]/,
              priority: 7,
            },
            { name: 'drawer', test: /antd[\\/]es[\\/]drawer[\\/]/, priority: 6 },
            { name: 'form', test: /kit[\\/]web[\\/]form[\\/]form-page\.tsx/, priority: 5 },
            { name: 'tooltip', test: /antd[\\/]es[\\/]tooltip[\\/]/, priority: 4 },
            {
              name: 'common',
              test: commonFile,
              priority: 1,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            // Contracts that are needed together, each group as one file.
            ...Object.entries({
              choices: '(fees|bills|payments)/contract/choices',
              counter:
                '(payments/contract/(cashier|payment)|bills/contract/(temporary|adjustments|actions))\\.ts',
              'bill-list': 'bills/(contract/(import|bill-detail)|web/(print|period-after))\\.',
              'room-list':
                'rooms/(domain/effective-date|contract/(effective-date|import-export|room-change|room-board)|web/(floors|room-kinds))\\.',
              labels: '(rooms|residents|parking)/contract/labels',
              estates: 'estates/contract/(building|public-area)',
              standards: 'fees/contract/(standard|item|binding|relation|formula)',
            }).map(([name, files]) => ({
              name: `${name}-contract`,
              test: new RegExp(`modules/(${files})`.replaceAll('/', '[\\\\/]')),
              priority: 3,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            })),
            // What modules lend each other's screens: else a screen would fetch all extensions with it.
            {
              name: 'lent',
              test: /modules[\\/](files|rooms)[\\/]web[\\/]public\.actions\.ts|accounts[\\/]web[\\/]print-preview-sources\.ts|payments[\\/]web[\\/]paths\.ts|bills[\\/]contract[\\/]cashier-address\.ts|kit[\\/]web[\\/]extension-point\.ts/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            // Small files that the screens of one kind share.
            {
              name: 'files-rules',
              test: /modules[\\/]files[\\/](contract|domain)[\\/]/,
              priority: 2,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'phone',
              test: /kit[\\/]web[\\/]phone[\\/]/,
              priority: 2,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'payments-rules',
              test: /modules[\\/]payments[\\/]domain[\\/]/,
              priority: 2,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'detail',
              test: /kit[\\/]web[\\/](detail[\\/]|lazy-tabs|masked-value|tabbed)/,
              priority: 2,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            {
              name: 'tree',
              test: /kit[\\/]web[\\/]pickers[\\/]use-tree-search|CaretRightFilled/,
              priority: 2,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'menus',
              test: /modules[\\/][^\\/]+[\\/]module\.ts/,
              priority: 4,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'extensions', test: /apps[\\/]web[\\/]extensions\.ts/, priority: 3 },
          ],
        },
      },
    },
  },
})
