import { join } from 'node:path'
import type { Alias } from 'vite'

const top = join(import.meta.dirname, '../..')

/** Where the sources lie, and what stands for parts of libraries that no screen uses. */
export const aliases: Alias[] = [
  { find: /^#(kit|modules|apps)\//, replacement: `${top}/$1/` },
  // The library falls back on English texts where none are given; here the Chinese ones are always given.
  { find: /\/en_US$/, replacement: '/zh_CN' },
  // By default its icons announce their English names.
  { find: /^\.\.\/components\/AntdIconLight$/, replacement: `${top}/kit/web/antd-icon.tsx` },
  // Its drawers bring a placeholder that the product never shows.
  { find: /^\.\.\/skeleton$/, replacement: `${top}/kit/web/antd-skeleton.tsx` },
  // Escape closes the dialog on top, also after one was drawn twice.
  { find: /^\.\/useEscKeyDown$/, replacement: `${top}/kit/web/antd-escape-keys.ts` },
  // Only an empty drop-down would show its picture of an empty box.
  { find: /^\.\.\/empty$/, replacement: `${top}/kit/web/antd-empty.tsx` },
  // What the router's links do in pages that a server renders.
  { find: /^\.\/ssr\/components\.js$/, replacement: `${top}/kit/web/router-links.ts` },
  // Parts that the library puts into every page and no screen uses.
  {
    find: /^(\.\/(confirm|useModal)|\.{1,2}\/(tooltip\/)?UniqueProvider)$/,
    replacement: `${top}/kit/web/antd-stubs.tsx`,
  },
]
