import type { Plugin } from 'vite'

/**
 * `Link.displayName = "Link"`, `Select._InternalPanelDoNotUseOrYouWillBeFired = …`: for debuggers and the
 * library's own pages only, and they keep in every page what none uses.
 */
const assignedAside = /^[\w$]+\.(?:displayName|_InternalPanelDoNotUse\w*) = .*;$/gm

/** What creates a component or a context, and does nothing else. */
const creation =
  /(?<= = |^export default )(?=(?:React(?:\$1)?\.(?:forwardRef|memo|createContext)|genPurePanel|withPureRenderTheme|genCSSMotionList)\()/gm

/** Files of libraries, below node_modules, and what stands for them. */
export const substitutes: Readonly<Record<string, string>> = {
  'antd/es/locale/zh_CN.js': "export { default } from '#kit/web/antd-locale.ts'",
  'antd/es/theme/interface/presetColors.js': "export { PresetColors } from '#kit/web/antd-palettes.ts'",
  '@ant-design/colors/es/presets.js': "export * from '#kit/web/antd-palettes.ts'",
  // Colours by their English names.
  '@ant-design/fast-color/es/presetColors.js': 'export default {}',
  // Without text areas, passwords and one-time codes: who needs one imports it from its own file.
  'antd/es/input/index.js': "export { default } from './Input'",
  // Prefixes for old browsers: styles are written without them (`autoPrefix`).
  'stylis/src/Prefixer.js': 'export const prefix = value => value',
  // Lists that grow while one scrolls down: no screen has one.
  '@tanstack/query-core/build/modern/infiniteQueryBehavior.js':
    'export const infiniteQueryBehavior = () => undefined, hasNextPage = () => false, hasPreviousPage = hasNextPage',
  // Without a button that has a menu.
  'antd/es/dropdown/index.js': "export { default } from './dropdown'",
}

const pathInModules = (id: string): string => id.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '')

/** Lets the build leave out what the libraries bring and no screen uses. */
export const trimLibrariesPlugin = (): Plugin => ({
  name: 'trim-libraries',
  apply: 'build',
  load: {
    filter: { id: /node_modules[\\/](antd|@ant-design|stylis|@tanstack)[\\/]/ },
    handler: id => substitutes[pathInModules(id)],
  },
  transform: {
    filter: { id: /node_modules[\\/](react-router|antd|@ant-design|@rc-component)[\\/].*\.js$/ },
    handler: code => ({
      code: code.replace(assignedAside, '').replace(creation, '/* @__PURE__ */ '),
      map: null,
    }),
  },
})
