import type { Plugin } from 'vite'

/** One place of a library's file, below node_modules, that is wrong for everybody. */
export interface Correction {
  readonly file: string
  readonly wrong: string
  readonly right: string
}

export const corrections: readonly Correction[] = [
  {
    // A list without options is no list: what is there says that there are none.
    file: '@rc-component/select/es/OptionList.js',
    wrong: 'role: "listbox",\n      id: `${id}_list`,\n      className: `${itemPrefixCls}-empty`',
    right: 'role: "status",\n      id: `${id}_list`,\n      className: `${itemPrefixCls}-empty`',
  },
  {
    // Where no option is active, none is named.
    file: '@rc-component/select/es/Select.js',
    wrong: 'activeDescendantId: `${mergedId}_list_${accessibilityIndex}`',
    right:
      'activeDescendantId: accessibilityIndex < 0 ? undefined : `${mergedId}_list_${accessibilityIndex}`',
  },
  {
    // Levels beside each other: the list that the input names.
    file: '@rc-component/cascader/es/OptionList/List.js',
    wrong: 'ref: containerRef\n',
    right: 'ref: containerRef, id: props.id && `${props.id}_list`\n',
  },
]

/** The code of a file of a library with its corrections; refuses to go by where the library has changed. */
export function correctLibrary(file: string, code: string): string {
  return corrections
    .filter(correction => correction.file === file)
    .reduce((corrected, { wrong, right }) => {
      if (!corrected.includes(wrong)) throw new Error(`${file} no longer has: ${wrong}`)
      return corrected.replace(wrong, () => right)
    }, code)
}

const pathInModules = (id: string): string => id.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '')

/** Barriers that selects of the library set up, whichever screen uses them. */
export const libraryCorrectionsPlugin = (): Plugin => ({
  name: 'library-corrections',
  enforce: 'pre',
  transform: {
    filter: { id: /node_modules[\\/]@rc-component[\\/].*\.js$/ },
    handler: (code, id) => ({ code: correctLibrary(pathInModules(id), code), map: null }),
  },
})
